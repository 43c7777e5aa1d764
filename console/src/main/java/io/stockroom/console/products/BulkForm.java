package io.stockroom.console.products;

import io.stockroom.console.stock.TypedSizes;
import io.stockroom.core.stock.BulkEdit;
import io.stockroom.core.stock.BulkEdit.Operation;
import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Size;
import jakarta.servlet.http.HttpServletRequest;
import java.math.BigDecimal;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The form of a bulk edit: what was chosen and typed, and what is wrong with it, by field.
 *
 * @param products ids separated by commas
 * @param all whether all products of the view are selected instead
 * @param query the view, as the query of an address
 * @param source the item number of the product to copy from
 * @param problems message keys, or sentences of the interface, by field
 */
public record BulkForm(
    String products,
    boolean all,
    String query,
    String operation,
    String value,
    String source,
    List<String> colors,
    String sizes,
    Map<String, String> problems) {
  private static final int MAX_VALUE_CHARACTERS = 20;
  private static final BigDecimal MAX_FACTOR = BigDecimal.valueOf(1000);
  private static final int MAX_DECIMALS = 4;

  /** What was selected in the product list. */
  static BulkForm of(MultiValueMap<String, String> parameters, ProductView view) {
    return new BulkForm(
        ids(parameters.getOrDefault("product", List.of())),
        parameters.containsKey("all"),
        view.query(),
        "set",
        "",
        "",
        List.of(),
        "",
        new LinkedHashMap<>());
  }

  /** What was typed. */
  static BulkForm of(HttpServletRequest request) {
    return new BulkForm(
        ids(List.of(text(request, "products").split(",", -1))),
        !text(request, "all").isEmpty(),
        text(request, "view"),
        operation(text(request, "operation")).name().toLowerCase(Locale.ROOT),
        text(request, "value").strip(),
        text(request, "source").strip(),
        values(request, "color"),
        text(request, "sizes").strip(),
        new LinkedHashMap<>());
  }

  private static String text(HttpServletRequest request, String name) {
    String text = request.getParameter(name);
    return text == null ? "" : text;
  }

  private static List<String> values(HttpServletRequest request, String name) {
    String[] values = request.getParameterValues(name);
    return values == null ? List.of() : List.of(values);
  }

  private static String ids(List<String> values) {
    return values.stream()
        .filter(id -> id.matches("[0-9]{1,9}"))
        .map(Integer::valueOf)
        .distinct()
        .sorted()
        .map(String::valueOf)
        .collect(Collectors.joining(","));
  }

  private static Operation operation(String word) {
    for (Operation operation : Operation.values()) {
      if (operation.name().equalsIgnoreCase(word)) {
        return operation;
      }
    }
    return Operation.SET;
  }

  public String problem(String field) {
    return problems.getOrDefault(field, "");
  }

  public List<String> operations() {
    return List.of("set", "add", "subtract", "multiply", "copy", "zero");
  }

  /** The view whose products are selected. */
  ProductView view(ZoneId zone) {
    Map<String, String> values = new HashMap<>();
    UriComponentsBuilder.newInstance()
        .query(query)
        .build()
        .getQueryParams()
        .toSingleValueMap()
        .forEach((name, value) -> values.put(name, decode(value)));
    return ProductView.of(values, zone);
  }

  private static String decode(@Nullable String value) {
    try {
      return value == null ? "" : URLDecoder.decode(value, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      return "";
    }
  }

  /** The selected ids, unless all are selected. */
  List<Integer> ids() {
    return products.isEmpty()
        ? List.of()
        : List.of(products.split(",", -1)).stream().map(Integer::valueOf).toList();
  }

  /**
   * What to change; incomplete if the form has problems.
   *
   * @param sourceId the product to copy from; null if there is none with that number
   */
  BulkEdit.Request request(List<Integer> ids, @Nullable Integer sourceId, Language language) {
    Operation chosen = operation(operation);
    if (chosen == Operation.COPY && sourceId == null) {
      problems.put("source", "bulk.source.unknown");
    }
    return new BulkEdit.Request(
        ids, chosen, number(chosen), sourceId == null ? 0 : sourceId, colors, sizes(language));
  }

  private BigDecimal number(Operation chosen) {
    return switch (chosen) {
      case COPY, ZERO -> BigDecimal.ZERO;
      case SET, ADD, SUBTRACT -> whole();
      case MULTIPLY -> factor();
    };
  }

  private BigDecimal whole() {
    if (value.matches("[0-9]{1,10}") && Long.parseLong(value) <= Integer.MAX_VALUE) {
      return new BigDecimal(value);
    }
    problems.put("value", "bulk.value.whole");
    return BigDecimal.ZERO;
  }

  private BigDecimal factor() {
    if (value.length() <= MAX_VALUE_CHARACTERS
        && value.matches("[0-9]+(\\.[0-9]{1,%d})?".formatted(MAX_DECIMALS))) {
      BigDecimal factor = new BigDecimal(value);
      if (factor.compareTo(MAX_FACTOR) <= 0) {
        return factor;
      }
    }
    problems.put("value", "bulk.value.factor");
    return BigDecimal.ZERO;
  }

  private List<Size> sizes(Language language) {
    try {
      return TypedSizes.read(sizes);
    } catch (InvalidValue invalid) {
      problems.put("sizes", invalid.at("sizes").message(language));
      return List.of();
    }
  }
}
