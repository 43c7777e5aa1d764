package io.stockroom.console.products;

import io.stockroom.core.stock.BulkEdit;
import io.stockroom.core.stock.BulkEdit.Operation;
import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.SizeRange;
import jakarta.servlet.http.HttpServletRequest;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The form of a bulk edit: what was chosen and typed, and what is wrong with it, by field.
 *
 * @param products ids separated by commas; empty: all that the filter finds
 * @param source the item number of the product to copy from
 * @param problems message keys, or sentences of the interface, by field
 */
public record BulkForm(
    String products,
    String q,
    String stock,
    String operation,
    String value,
    String source,
    List<String> colors,
    String sizes,
    Map<String, String> problems) {
  private static final int MAX_VALUE_CHARACTERS = 20;
  private static final BigDecimal MAX_FACTOR = BigDecimal.valueOf(1000);
  private static final int MAX_DECIMALS = 4;

  static BulkForm of(HttpServletRequest request) {
    return new BulkForm(
        products(request),
        text(request, "q").strip(),
        text(request, "stock"),
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

  /** The list sends one field for each selected product; the pages after it send all in one. */
  private static String products(HttpServletRequest request) {
    Set<Integer> ids = new TreeSet<>();
    for (String id :
        (text(request, "products") + "," + String.join(",", values(request, "product")))
            .split(",", -1)) {
      if (id.matches("[0-9]{1,9}")) {
        ids.add(Integer.valueOf(id));
      }
    }
    return text(request, "all").isEmpty()
        ? String.join(",", ids.stream().map(String::valueOf).toList())
        : "";
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

  /** The stock filter: true, false or null for both. */
  @Nullable Boolean hasStock() {
    return switch (stock) {
      case "true" -> true;
      case "false" -> false;
      default -> null;
    };
  }

  /** The selected ids; empty if all that the filter finds are. */
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

  private Set<Integer> sizes(Language language) {
    Set<Integer> all = new TreeSet<>();
    for (String part : sizes.split("[,，、\\s]+", -1)) {
      if (!part.isEmpty()) {
        try {
          SizeRange range = SizeRange.parse(part);
          for (int size = range.first(); size <= range.last(); size++) {
            all.add(size);
          }
        } catch (InvalidValue invalid) {
          problems.put("sizes", invalid.at("sizes").message(language));
        }
      }
    }
    return all;
  }
}
