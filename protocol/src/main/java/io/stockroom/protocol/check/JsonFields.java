package io.stockroom.protocol.check;

import io.stockroom.protocol.Spelling;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields of one object of the body, and what is wrong with them. */
final class JsonFields {
  /** What people write for a field whose name they remember only roughly. */
  private static final Map<String, Set<String>> ALIASES =
      Map.of(
          "color", Set.of("colour", "colorname", "sku"),
          "pid", Set.of("productid", "id", "product", "goodsid"),
          "param", Set.of("params", "sizes", "list", "parameters", "skus"),
          "stock", Set.of("quantity", "num", "count", "qty", "stocknum", "amount"),
          "barCode", Set.of("barcode", "bar", "ean", "code"),
          "size", Set.of("sizes", "sizename"),
          "result", Set.of("status", "state", "results"));

  private final String at;
  private final Map<?, ?> object;
  private final Findings findings;
  private final List<String> names;

  JsonFields(String at, Map<?, ?> object, List<String> names, Findings findings) {
    this.at = at;
    this.object = object;
    this.names = names;
    this.findings = findings;
  }

  @Nullable Object get(String name) {
    return object.get(name);
  }

  /** Notes a field that is not there, or that stands there under another name. */
  void require(String name) {
    if (object.containsKey(name)) {
      return;
    }
    String meant = meant(name);
    if (meant == null) {
      findings.add(Mistake.FIELD_MISSING, at + name, name, "");
    } else {
      findings.add(Mistake.FIELD_MISSPELT, at + name, name, meant);
    }
  }

  /** Notes a field that may be left out, where it stands there under another name. */
  void allow(String name) {
    String meant = meant(name);
    if (!object.containsKey(name) && meant != null) {
      findings.add(Mistake.FIELD_MISSPELT, at + name, name, meant);
    }
  }

  /** Notes every field that is a known one but for its case or one letter. */
  void misspelled() {
    for (Object key : object.keySet()) {
      Spelling.misspelled(key.toString(), names)
          .filter(name -> !findings.at(at + name))
          .ifPresent(name -> findings.add(Mistake.FIELD_MISSPELT, at + name, name, key.toString()));
    }
  }

  private @Nullable String meant(String name) {
    for (Object key : object.keySet()) {
      String written = key.toString();
      boolean known = names.contains(written);
      boolean alias =
          ALIASES
              .getOrDefault(name, Set.of())
              .contains(written.toLowerCase(Locale.ROOT).replaceAll("[-_]", ""));
      if (!known && (alias || Likeness.nearest(written, List.of(name), 1).isPresent())) {
        return written;
      }
    }
    return null;
  }

  /** Notes a field that is no whole number from {@code least}. */
  void number(String name, int least) {
    Object value = object.get(name);
    if (value == null) {
      return;
    }
    String expected = least + " … 2147483647";
    if (!(value instanceof BigDecimal number)) {
      findings.add(Mistake.FIELD_TYPE, at + name, expected, JsonRules.kind(value));
    } else if (number.scale() != 0) {
      findings.add(Mistake.FIELD_TYPE, at + name, expected, number.toString());
    } else if (number.compareTo(BigDecimal.valueOf(least)) < 0
        || number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0) {
      findings.add(Mistake.FIELD_VALUE, at + name, expected, number.toString());
    }
  }

  /** The text of a field that may also be a whole number; null as for {@link #text}. */
  @Nullable String textOrNumber(String name) {
    return object.get(name) instanceof BigDecimal number && number.scale() == 0
        ? number.toPlainString()
        : text(name);
  }

  /** The text of a field; null where it is missing or, as is then noted, no text. */
  @Nullable String text(String name) {
    Object value = object.get(name);
    if (value == null) {
      return null;
    }
    if (value instanceof String text) {
      return text;
    }
    findings.add(Mistake.FIELD_TYPE, at + name, "\"…\"", JsonRules.kind(value));
    return null;
  }
}
