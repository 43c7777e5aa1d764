package io.stockroom.protocol.check;

import io.stockroom.protocol.check.Endpoint.Takes;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whether the body is JSON, and of the shape that the call takes. */
final class JsonRules {
  static final List<Rule> ALL = List.of(JsonRules::json);

  private static final int MOST_ELEMENTS = 300;
  private static final Set<String> RESULTS = Set.of("published", "failed", "withdrawn");

  private JsonRules() {}

  private static void json(Facts facts, Findings findings) {
    Endpoint endpoint = facts.endpoint();
    String body = facts.body();
    if (endpoint == null || body.isBlank()) {
      return;
    }
    boolean read =
        ContentRules.isReadAsJson(facts)
            || (endpoint.takes() == Takes.ANYTHING && ContentRules.looksLikeJson(body));
    if (!read) {
      return;
    }
    if (body.startsWith("\uFEFF")) {
      findings.add(Mistake.JSON_BOM, "body", "[", "U+FEFF [");
      body = body.substring(1);
    }
    Object value;
    try {
      value = JsonText.read(body);
    } catch (JsonFault fault) {
      findings.add(fault.mistake(), "body " + fault.place(), "", fault.found());
      return;
    }
    if (value instanceof String text) {
      findings.add(
          ContentRules.looksLikeJson(text) ? Mistake.JSON_TWICE : Mistake.BODY_NOT_ARRAY,
          "body",
          endpoint.takes() == Takes.JSON ? "[ … ]" : "{\"pid\": 1}",
          body);
    } else if (endpoint.takes() == Takes.ANYTHING) {
      detail(value, findings);
    } else {
      list(endpoint, value, findings);
    }
  }

  private static void detail(Object value, Findings findings) {
    if (!(value instanceof Map<?, ?> object)) {
      findings.add(Mistake.FIELD_TYPE, "body", "{\"pid\": 1}", kind(value));
      return;
    }
    JsonFields fields = new JsonFields("", object, List.of("pid"), findings);
    fields.require("pid");
    Object pid = fields.get("pid");
    if (pid instanceof String text && !text.matches("[1-9][0-9]{0,9}")) {
      findings.add(Mistake.FIELD_VALUE, "pid", "1 … 2147483647", text);
    } else if (pid != null && !(pid instanceof String)) {
      fields.number("pid", 1);
    }
  }

  private static void list(Endpoint endpoint, Object value, Findings findings) {
    Object list = value;
    String at = "";
    if (value instanceof Map<?, ?> object) {
      if (!(object.get("list") instanceof List<?>)) {
        boolean wrapped = object.values().stream().anyMatch(List.class::isInstance);
        boolean element = object.containsKey("pid") || object.containsKey("color");
        findings.add(
            wrapped && !element ? Mistake.BODY_WRAPPED : Mistake.BODY_NOT_ARRAY,
            "body",
            "[ { … } ]",
            "{ "
                + String.join(", ", object.keySet().stream().map(Object::toString).toList())
                + " }");
        return;
      }
      list = object.get("list");
      at = "list";
    }
    if (!(list instanceof List<?> elements)) {
      findings.add(Mistake.BODY_NOT_ARRAY, "body", "[ { … } ]", kind(value));
      return;
    }
    if (elements.isEmpty()) {
      findings.add(Mistake.LIST_EMPTY, "body", "1 … " + MOST_ELEMENTS, "0");
    } else if (elements.size() > MOST_ELEMENTS) {
      findings.add(Mistake.LIST_TOO_LONG, "body", "≤ " + MOST_ELEMENTS, "" + elements.size());
    }
    for (int i = 0; i < elements.size(); i++) {
      String place = at + "[" + i + "]";
      if (!(elements.get(i) instanceof Map<?, ?> element)) {
        findings.add(Mistake.FIELD_TYPE, place, "{ … }", kind(elements.get(i)));
      } else if (endpoint == Endpoint.STOCK_CREATE) {
        ColourGroupRules.look(place, element, findings);
      } else {
        result(place, element, findings);
      }
    }
  }

  private static void result(String place, Map<?, ?> element, Findings findings) {
    JsonFields fields =
        new JsonFields(place + ".", element, List.of("pid", "result", "url", "msg"), findings);
    fields.require("pid");
    fields.require("result");
    fields.number("pid", 1);
    String result = fields.text("result");
    if (result != null && !RESULTS.contains(result)) {
      findings.add(Mistake.FIELD_VALUE, place + ".result", "published, failed, withdrawn", result);
    }
  }

  /** A value's kind in the notation of JSON. */
  static String kind(Object value) {
    if (value instanceof Map) {
      return "{ … }";
    }
    if (value instanceof List) {
      return "[ … ]";
    }
    if (value instanceof String text) {
      return '"' + text + '"';
    }
    return value.equals(JsonText.NULL) ? "null" : value.toString();
  }
}
