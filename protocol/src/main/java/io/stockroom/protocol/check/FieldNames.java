package io.stockroom.protocol.check;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Common wrong names for fields. */
final class FieldNames {
  private static final Set<String> IDS =
      Set.of("pid", "productid", "id", "goodsid", "itemid", "product");

  private static final Map<String, Set<String>> ALIASES =
      Map.of(
          "color", Set.of("colour", "colorname", "sku"),
          "pid", IDS,
          "productid", IDS,
          "param", Set.of("params", "sizes", "list", "parameters", "skus"),
          "stock", Set.of("quantity", "num", "count", "qty", "stocknum", "amount"),
          "barCode", Set.of("barcode", "bar", "ean", "code"),
          "size", Set.of("sizes", "sizename"),
          "result", Set.of("status", "state", "results"));

  private FieldNames() {}

  /** The name in {@code written} that probably means {@code name}. */
  static Optional<String> alias(String name, List<String> written, Endpoint endpoint) {
    return written.stream()
        .filter(other -> !other.equals(name) && !endpoint.fieldNames().contains(other))
        .filter(other -> isAlias(name, other))
        .findFirst();
  }

  private static boolean isAlias(String name, String other) {
    String plain = other.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
    return ALIASES.getOrDefault(name, Set.of()).contains(plain)
        || NearestWord.nearest(other, List.of(name), 1).isPresent();
  }
}
