package io.stockroom.files.imports.read;

import io.stockroom.core.catalogue.EmbeddedPictures;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.ProductText;
import io.stockroom.protocol.Text;
import io.stockroom.protocol.request.JsonReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads products from JSON Lines: each line is an object with the fields of product detail. */
public final class JsonSource implements RowSource {
  private static final int MAX_IGNORED = 100;
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
          "skus",
          Columns.REASON);

  public static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(8)
                          .maxStringLength(JsonLines.MAX_CHARACTERS)
                          .maxNumberLength(FieldTexts.NUMBER_CHARACTERS)
                          .maxNameLength(256)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JsonLines lines;
  private final ProductRow row;
  private final JsonStock stock;
  private final TreeSet<String> ignored = new TreeSet<>();
  private final Notes notes = new Notes();
  private int rows;

  JsonSource(JsonLines lines, Choices choices) {
    this.lines = lines;
    this.row = new ProductRow(choices, false, notes);
    this.stock = new JsonStock(row);
  }

  @Override
  public @Nullable ProductRow next() throws IOException, FileRejection {
    String text = lines.next();
    if (text == null) {
      return null;
    }
    rows++;
    row.start(lines.row());
    if (lines.tooLong()) {
      row.problem("", text, ErrorCode.CELL_TOO_LONG, JsonLines.MAX_CHARACTERS);
      return row;
    }
    JsonNode node = parse(text);
    if (node != null) {
      node.propertyNames().stream()
          .filter(name -> !KNOWN.contains(name) && ignored.size() < MAX_IGNORED)
          .forEach(name -> ignored.add(FileProblem.shown(name)));
      read(node);
    }
    return row;
  }

  private @Nullable JsonNode parse(String text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      if (node.isObject()) {
        return node;
      }
      row.problem("", text, ErrorCode.FIELD_TYPE, text, "a JSON object");
    } catch (JacksonException broken) {
      List<Object> found = JsonReader.problem(broken).arguments();
      row.problem("", text, ErrorCode.JSON_BROKEN, lines.row(), found.get(1), found.get(2));
    }
    return null;
  }

  private void read(JsonNode line) {
    String artNo = text(line, "artNo");
    if (artNo == null) {
      if (isAbsent(line.get("artNo"))) {
        row.problem("artNo", "", ErrorCode.FIELD_MISSING, "artNo");
      }
      return;
    }
    row.artNo =
        row.check("artNo", artNo, () -> Text.identifier(artNo, FieldTexts.ART_NO_CHARACTERS));
    ProductValues values = new ProductValues();
    String title = text(line, "title");
    values.title =
        title == null
            ? null
            : row.check("title", title, () -> Text.name(title, FieldTexts.TITLE_CHARACTERS));
    String description = text(line, "description");
    values.description =
        description == null ? null : FieldTexts.description(row, "description", description);
    values.cents = price(line.get("price"));
    values.categoryIdTree = line(line, "categoryIdTree", FieldTexts.CATEGORY_CHARACTERS);
    values.categoryNameTree = line(line, "categoryNameTree", FieldTexts.CATEGORY_CHARACTERS);
    FieldTexts.sameLength(row, "categoryNameTree", values.categoryIdTree, values.categoryNameTree);
    String video = line(line, "video", FieldTexts.ADDRESS_CHARACTERS);
    values.video = video == null ? null : FieldTexts.address(row, "video", video);
    values.imgs = images(line);
    attributes(line, values);
    row.values = values;
    List<JsonNode> skus = list(line, "skus", JsonStock.MAX_COLORS);
    if (skus != null) {
      stock.read(skus);
    }
  }

  private @Nullable Long price(@Nullable JsonNode value) {
    if (value == null || isAbsent(value)) {
      return null;
    }
    if (value.isString() && ProductText.isCanonical(value.stringValue())) {
      return FieldTexts.cents(row, "price", value.stringValue());
    }
    if (!value.isNumber()) {
      row.problem(
          "price",
          value.toString(),
          ErrorCode.FIELD_TYPE,
          value.toString(),
          "a number with at most two decimals, such as 59.00");
      return null;
    }
    return FieldTexts.cents(row, "price", value.decimalValue().toString());
  }

  private @Nullable List<String> images(JsonNode line) {
    List<JsonNode> given = list(line, "imgs", FieldTexts.MAX_IMAGES);
    if (given == null) {
      return null;
    }
    List<String> imgs = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      String at = "imgs[" + i + "]";
      if (!given.get(i).isString()) {
        row.problem(
            at, given.get(i).toString(), ErrorCode.FIELD_TYPE, given.get(i).toString(), "a string");
        continue;
      }
      String address = FieldTexts.address(row, at, given.get(i).stringValue().strip());
      if (address != null) {
        imgs.add(address);
      }
    }
    return imgs;
  }

  private void attributes(JsonNode line, ProductValues values) {
    List<JsonNode> given = list(line, "attributes", FieldTexts.MAX_ATTRIBUTES);
    if (given == null) {
      return;
    }
    List<String> names = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      JsonNode attribute = given.get(i);
      String at = "attributes[" + i + "]";
      String name = attribute.isObject() ? text(attribute, "name") : null;
      String value = attribute.isObject() ? text(attribute, "value") : null;
      if (name == null) {
        row.problem(at, attribute.toString(), ErrorCode.FIELD_MISSING, at + ".name");
        continue;
      }
      String kept =
          row.check(
              at + ".name", name, () -> Text.name(name, FieldTexts.ATTRIBUTE_NAME_CHARACTERS));
      String keptValue =
          value == null
              ? ""
              : row.check(
                  at + ".value",
                  value,
                  () -> Text.line(value, FieldTexts.ATTRIBUTE_VALUE_CHARACTERS));
      if (kept != null && keptValue != null) {
        names.add(kept);
        texts.add(keptValue);
      }
    }
    values.attributeNames = names;
    values.attributeValues = texts;
  }

  private @Nullable String line(JsonNode node, String field, int most) {
    String text = text(node, field);
    return text == null ? null : row.check(field, text, () -> Text.line(text, most));
  }

  private @Nullable List<JsonNode> list(JsonNode line, String field, int most) {
    JsonNode value = line.get(field);
    if (value == null || isAbsent(value)) {
      return null;
    }
    if (!value.isArray()) {
      row.problem(field, value.toString(), ErrorCode.FIELD_TYPE, value.toString(), "an array");
      return null;
    }
    if (value.size() > most) {
      row.problem(field, "", ErrorCode.LIST_TOO_LONG, value.size(), most);
      return null;
    }
    return value.valueStream().toList();
  }

  private @Nullable String text(JsonNode node, String field) {
    JsonNode value = node.get(field);
    if (value == null || isAbsent(value)) {
      return null;
    }
    if (!value.isString()) {
      row.problem(field, value.toString(), ErrorCode.FIELD_TYPE, value.toString(), "a string");
      return null;
    }
    return value.stringValue();
  }

  static boolean isAbsent(@Nullable JsonNode value) {
    return value == null || value.isNull();
  }

  @Override
  public void store(EmbeddedPictures pictures) {
    row.pictures = pictures;
  }

  @Override
  public @Nullable Columns columns() {
    return null;
  }

  @Override
  public boolean rowsAreProducts() {
    return true;
  }

  @Override
  public Ignored ignored() {
    return new Ignored(List.copyOf(ignored), 0);
  }

  @Override
  public Notes notes() {
    return notes;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public String sheet(int number) {
    return "";
  }

  @Override
  public int rowsOfASheet() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
