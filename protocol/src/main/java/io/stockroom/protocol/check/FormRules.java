package io.stockroom.protocol.check;

import io.stockroom.protocol.check.Endpoint.Takes;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The fields of a form and of the query string. */
final class FormRules {
  static final List<Rule> ALL = List.of(FormRules::encoding, FormRules::fields);

  /** What people write for a product's id, whose name differs from call to call. */
  private static final Set<String> IDS =
      Set.of("pid", "productid", "id", "goodsid", "itemid", "product_id", "product");

  private record Field(String name, String value) {}

  private FormRules() {}

  private static boolean isForm(Facts facts) {
    Endpoint endpoint = facts.endpoint();
    boolean shown = facts.request().body() != null || !facts.request().query().isEmpty();
    return endpoint != null
        && shown
        && endpoint.takes() != Takes.JSON
        && !ContentRules.isReadAsJson(facts)
        && !ContentRules.looksLikeJson(facts.body());
  }

  private static void encoding(Facts facts, Findings findings) {
    for (String text : List.of(facts.request().query(), isForm(facts) ? facts.body() : "")) {
      if (text.matches("(?s).*%(?![0-9A-Fa-f]{2}).*")) {
        findings.add(Mistake.FORM_ENCODING, "body", "%25", text);
      }
    }
  }

  private static void fields(Facts facts, Findings findings) {
    Endpoint endpoint = facts.endpoint();
    if (endpoint == null || !isForm(facts) || findings.has(Mistake.FORM_ENCODING)) {
      return;
    }
    List<Field> inQuery = read(facts.request().query());
    List<Field> inBody = read(facts.body());
    for (String name : endpoint.fields()) {
      List<String> values = values(name, inQuery);
      values.addAll(values(name, inBody));
      boolean same =
          values.size() == 2
              && values.get(0).equals(values.get(1))
              && values(name, inBody).size() == 1;
      if (values.size() > 1 && !same) {
        findings.add(Mistake.FIELD_REPEATED, name, "1 × " + name, String.join(", ", values));
      } else if (values.isEmpty() || (values.get(0).isEmpty() && isFirst(endpoint, name))) {
        absent(endpoint, name, inQuery, inBody, findings);
      } else {
        value(name, values.get(0), findings);
      }
    }
  }

  private static boolean isFirst(Endpoint endpoint, String name) {
    return endpoint.needsField() && endpoint.fields().get(0).equals(name);
  }

  private static void absent(
      Endpoint endpoint, String name, List<Field> inQuery, List<Field> inBody, Findings findings) {
    if (!isFirst(endpoint, name)) {
      return;
    }
    List<Field> all = new ArrayList<>(inQuery);
    all.addAll(inBody);
    for (Field field : all) {
      boolean other = IDS.contains(name) && IDS.contains(field.name.toLowerCase(Locale.ROOT));
      if (!field.name.equals(name)
          && (other || Likeness.nearest(field.name, List.of(name), 1).isPresent())) {
        findings.add(Mistake.FIELD_MISSPELT, name, name, field.name);
        return;
      }
    }
    findings.add(Mistake.FIELD_MISSING, name, name + "=…", "");
  }

  private static void value(String name, String value, Findings findings) {
    if (name.equals("stock")) {
      if (!value.isEmpty() && !value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
        findings.add(Mistake.FIELD_VALUE, name, "true, false", value);
      }
      return;
    }
    boolean number =
        value.matches("0*[1-9][0-9]{0,9}")
            && value.length() <= 10
            && Long.parseLong(value) <= Integer.MAX_VALUE;
    if (!number && !value.isEmpty()) {
      findings.add(Mistake.FIELD_VALUE, name, "1 … 2147483647", value);
    }
  }

  private static List<String> values(String name, List<Field> fields) {
    List<String> values = new ArrayList<>();
    fields.stream()
        .filter(field -> field.name.equals(name))
        .forEach(field -> values.add(field.value));
    return values;
  }

  private static List<Field> read(String form) {
    List<Field> fields = new ArrayList<>();
    for (String pair : form.split("&", -1)) {
      if (!pair.isEmpty()) {
        String[] parts = pair.split("=", 2);
        fields.add(new Field(decoded(parts[0]), parts.length < 2 ? "" : decoded(parts[1])));
      }
    }
    return fields;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException broken) {
      return text;
    }
  }
}
