package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Text;
import io.stockroom.server.http.Json;
import io.stockroom.server.http.Problems;
import java.math.BigDecimal;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads one line of an import: a JSON object with the fields of product detail. */
final class ProductLine {
  private static final int DESCRIPTION_CHARACTERS = 1_000_000;
  private static final BigDecimal HIGHEST_PRICE = new BigDecimal("9999999999.99");
  private static final Set<String> KNOWN =
      Set.of(
          "artNo",
          "title",
          "description",
          "imgs",
          "price",
          "categoryIdTree",
          "categoryNameTree",
          "attributes",
          "video",
          "skus");

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(8)
                          .maxStringLength(4 * DESCRIPTION_CHARACTERS)
                          .maxNumberLength(40)
                          .maxNameLength(256)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JsonNode line;
  private final Problems problems;

  private ProductLine(JsonNode line, Problems problems) {
    this.line = line;
    this.problems = problems;
  }

  static @Nullable Product read(String text, Problems problems, Set<String> ignored) {
    JsonNode node;
    try {
      node = MAPPER.readTree(text);
    } catch (JacksonException broken) {
      problems.add(Json.broken(broken));
      return null;
    }
    if (!node.isObject()) {
      problems.add("", ErrorCode.FIELD_TYPE, node.getNodeType(), "a JSON object");
      return null;
    }
    node.propertyNames().stream().filter(name -> !KNOWN.contains(name)).forEach(ignored::add);
    return new ProductLine(node, problems).product();
  }

  private @Nullable Product product() {
    String artNo = name("artNo", 64);
    String title = name("title", 300);
    String description = description();
    List<String> imgs = images();
    BigDecimal price = price();
    String categoryIdTree = optional(line, "", "categoryIdTree", 500);
    String categoryNameTree = optional(line, "", "categoryNameTree", 500);
    sameLength(categoryIdTree, categoryNameTree);
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    attributes(names, values);
    String video = url("video", optional(line, "", "video", 2000));
    List<String> colours = new ArrayList<>();
    List<String> urls = new ArrayList<>();
    colourImages(colours, urls);
    if (problems.any() || artNo == null || title == null || price == null) {
      return null;
    }
    return new Product(
        artNo,
        title,
        description,
        imgs,
        price,
        categoryIdTree,
        categoryNameTree,
        names,
        values,
        video,
        colours,
        urls);
  }

  private @Nullable String name(String field, int most) {
    String text = text(line, "", field);
    if (text == null) {
      if (isAbsent(line.get(field))) {
        problems.add(field, ErrorCode.FIELD_MISSING, field);
      }
      return null;
    }
    return problems.check(field, () -> Text.name(text, most));
  }

  private String description() {
    String text = text(line, "", "description");
    String kept =
        text == null
            ? ""
            : problems.check("description", () -> Text.block(text, DESCRIPTION_CHARACTERS));
    return kept == null ? "" : kept;
  }

  private List<String> images() {
    List<String> imgs = new ArrayList<>();
    List<JsonNode> given = list("imgs", 100);
    for (int i = 0; i < given.size(); i++) {
      String at = "imgs[" + i + "]";
      if (given.get(i).isString()) {
        imgs.add(url(at, given.get(i).stringValue().strip()));
      } else {
        problems.add(at, ErrorCode.FIELD_TYPE, given.get(i).getNodeType(), "a string");
      }
    }
    return imgs;
  }

  /** Exact: what two decimals cannot say is refused, not rounded. */
  private @Nullable BigDecimal price() {
    JsonNode value = line.get("price");
    if (isAbsent(value)) {
      problems.add("price", ErrorCode.FIELD_MISSING, "price");
      return null;
    }
    if (value == null || !value.isNumber()) {
      problems.add(
          "price",
          ErrorCode.FIELD_TYPE,
          value + "",
          "a number with at most two decimals, such as 59.00");
      return null;
    }
    BigDecimal price = value.decimalValue();
    boolean exact = price.stripTrailingZeros().scale() <= 2;
    if (!exact || price.signum() < 0 || price.compareTo(HIGHEST_PRICE) > 0) {
      problems.add(
          "price",
          ErrorCode.TEXT_FORMAT,
          price,
          "a price is a number from 0 to " + HIGHEST_PRICE + " with at most two decimals");
      return null;
    }
    return price.setScale(2);
  }

  private void sameLength(String ids, String names) {
    boolean both = !ids.isEmpty() && !names.isEmpty();
    if (both && ids.split(",", -1).length != names.split(",", -1).length) {
      problems.add(
          "categoryNameTree",
          ErrorCode.TEXT_FORMAT,
          names,
          "it must have as many parts as categoryIdTree, " + ids);
    }
  }

  private void attributes(List<String> names, List<String> values) {
    List<JsonNode> given = list("attributes", 200);
    for (int i = 0; i < given.size(); i++) {
      String at = "attributes[" + i + "]";
      if (isObject(at, given.get(i))) {
        String name = required(given.get(i), at, "name", 100);
        names.add(name == null ? "" : name);
        values.add(optional(given.get(i), at, "value", 1000));
      }
    }
  }

  private void colourImages(List<String> colours, List<String> urls) {
    List<JsonNode> given = list("skus", 300);
    for (int i = 0; i < given.size(); i++) {
      String at = "skus[" + i + "]";
      if (!isObject(at, given.get(i))) {
        continue;
      }
      String colour = required(given.get(i), at, "color", Text.COLOUR_CHARACTERS);
      String image = url(at + ".skuImg", optional(given.get(i), at, "skuImg", 2000));
      if (colour != null && !image.isEmpty()) {
        colours.add(colour);
        urls.add(image);
      }
    }
  }

  private List<JsonNode> list(String field, int most) {
    JsonNode value = line.get(field);
    if (value == null || isAbsent(value)) {
      return List.of();
    }
    if (!value.isArray()) {
      problems.add(field, ErrorCode.FIELD_TYPE, value.getNodeType(), "an array");
      return List.of();
    }
    if (value.size() > most) {
      problems.add(field, ErrorCode.LIST_TOO_LONG, value.size(), most);
      return List.of();
    }
    return value.valueStream().toList();
  }

  private boolean isObject(String at, JsonNode value) {
    if (!value.isObject()) {
      problems.add(at, ErrorCode.FIELD_TYPE, value.getNodeType(), "an object");
    }
    return value.isObject();
  }

  private @Nullable String required(JsonNode node, String at, String field, int most) {
    String text = text(node, at + ".", field);
    if (text == null) {
      if (isAbsent(node.get(field))) {
        problems.add(at + "." + field, ErrorCode.FIELD_MISSING, field);
      }
      return null;
    }
    return problems.check(at + "." + field, () -> Text.name(text, most));
  }

  private String optional(JsonNode node, String at, String field, int most) {
    String prefix = at.isEmpty() ? "" : at + ".";
    String text = text(node, prefix, field);
    String kept = text == null ? "" : problems.check(prefix + field, () -> Text.line(text, most));
    return kept == null ? "" : kept;
  }

  private @Nullable String text(JsonNode node, String prefix, String field) {
    JsonNode value = node.get(field);
    if (value == null || isAbsent(value)) {
      return null;
    }
    if (!value.isString()) {
      problems.add(prefix + field, ErrorCode.FIELD_TYPE, value.getNodeType(), "a string");
      return null;
    }
    return value.stringValue();
  }

  private String url(String at, String text) {
    if (!text.isEmpty() && !isWebAddress(text)) {
      problems.add(at, ErrorCode.TEXT_FORMAT, text, "a whole http:// or https:// address");
    }
    return text;
  }

  private static boolean isWebAddress(String text) {
    try {
      URI uri = URI.create(text);
      return uri.getHost() != null
          && text.length() <= 2000
          && ("http".equalsIgnoreCase(uri.getScheme())
              || "https".equalsIgnoreCase(uri.getScheme()));
    } catch (IllegalArgumentException notAnAddress) {
      return false;
    }
  }

  private static boolean isAbsent(@Nullable JsonNode value) {
    return value == null || value.isNull();
  }
}
