package io.stockroom.console.products;

import io.stockroom.core.catalogue.ProductFilter;
import io.stockroom.core.catalogue.ProductSort;
import io.stockroom.core.catalogue.StockStatus;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A view of the product list, as the address has it: search, filters and sorting. What a person
 * typed stays as it is; a value that cannot be used filters nothing and is named in {@link
 * #problems}.
 */
public final class ProductView {
  /** The parameters of a view, in the order of the address. */
  static final List<String> NAMES =
      List.of("q", "status", "category", "color", "min", "max", "since", "sort");

  private static final int MAX_TEXT = 200;

  private final Map<String, String> values = new TreeMap<>();
  private final Set<String> problems = new TreeSet<>();
  private final ProductFilter filter;

  private ProductView(Map<String, String> parameters, ZoneId zone) {
    for (String name : NAMES) {
      String value = parameters.getOrDefault(name, "").strip();
      values.put(name, value.length() > MAX_TEXT ? value.substring(0, MAX_TEXT) : value);
    }
    this.filter =
        new ProductFilter(
            get("q"),
            StockStatus.find(get("status")).orElse(null),
            get("category"),
            get("color"),
            price("min"),
            price("max"),
            since(zone));
  }

  public static ProductView of(Map<String, String> parameters, ZoneId zone) {
    return new ProductView(parameters, zone);
  }

  /** What was typed for a parameter; empty if nothing. */
  public String get(String name) {
    return values.getOrDefault(name, "");
  }

  /** The parameters whose values cannot be used. */
  public Set<String> problems() {
    return problems;
  }

  public ProductFilter filter() {
    return filter;
  }

  /** Whether the panel of filters contains something; the search and the status are outside. */
  public boolean isFiltered() {
    return List.of("category", "color", "min", "max", "since").stream()
        .anyMatch(name -> !get(name).isEmpty());
  }

  /** Whether anything was searched, filtered or sorted. */
  public boolean isChanged() {
    return !query().isEmpty();
  }

  public ProductSort sort() {
    String word = get("sort").replaceFirst("^-", "");
    return Arrays.stream(ProductSort.values())
        .filter(sort -> sort.word().equals(word))
        .findFirst()
        .orElse(ProductSort.ADDED);
  }

  public boolean descending() {
    return get("sort").startsWith("-");
  }

  /** The value of {@code aria-sort} for a column; null if the list is not sorted by it. */
  public @Nullable String sorted(String column) {
    return !sort().word().equals(column) ? null : descending() ? "descending" : "ascending";
  }

  /**
   * The address that sorts by a column, or in the other direction if it is sorted by it already.
   */
  public String sortedBy(String column) {
    boolean reverse = sort().word().equals(column) && !descending();
    return path(query(Map.of("sort", (reverse ? "-" : "") + column)));
  }

  /** The address of a page of this view. */
  public String page(int number) {
    String query = query();
    String page = number <= 1 ? "" : "page=" + number;
    return path(query.isEmpty() || page.isEmpty() ? query + page : query + "&" + page);
  }

  /** The address of this view with a message that says what was done. */
  String done(String what) {
    String query = query();
    return path(query.isEmpty() ? "done=" + what : query + "&done=" + what);
  }

  /** The address of this view without one of its parameters. */
  public String without(String name) {
    return path(query(Map.of(name, "")));
  }

  /** This view as the query of an address, without empty parameters. */
  public String query() {
    return query(Map.of());
  }

  /** The address of the export of this view. */
  public String export(String format) {
    String query = query(Map.of("sort", ""));
    return "/console/export?format=" + format + (query.isEmpty() ? "" : "&" + query);
  }

  private static String path(String query) {
    return query.isEmpty() ? "/console/products" : "/console/products?" + query;
  }

  private String query(Map<String, String> changes) {
    Map<String, String> all = new LinkedHashMap<>();
    NAMES.forEach(name -> all.put(name, changes.getOrDefault(name, get(name))));
    List<String> parts = new ArrayList<>();
    all.forEach(
        (name, value) -> {
          if (!value.isEmpty()) {
            parts.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
          }
        });
    return String.join("&", parts);
  }

  private @Nullable BigDecimal price(String name) {
    if (get(name).isEmpty()) {
      return null;
    }
    try {
      BigDecimal price = new BigDecimal(get(name).replace(',', '.'));
      if (price.signum() >= 0 && price.precision() - price.scale() <= 10 && price.scale() <= 10) {
        return price;
      }
    } catch (NumberFormatException noNumber) {
      // reported below
    }
    problems.add(name);
    return null;
  }

  private @Nullable Instant since(ZoneId zone) {
    if (get("since").isEmpty()) {
      return null;
    }
    try {
      LocalDate day = LocalDate.parse(get("since"));
      if (day.getYear() >= 1 && day.getYear() <= 9999) {
        return day.atStartOfDay(zone).toInstant();
      }
    } catch (DateTimeException noDate) {
      // reported below
    }
    problems.add("since");
    return null;
  }
}
