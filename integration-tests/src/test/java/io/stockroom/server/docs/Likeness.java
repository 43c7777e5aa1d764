package io.stockroom.server.docs;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Compares a response with the one in the docs. There, {@code …} in a text matches any text, and an
 * element {@code "…"} at the end of a list matches any further elements; identifiers and times only
 * need the right format.
 */
final class Likeness {
  private static final String GUID = "[0-9a-f]{32}";
  private static final String TIME = "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z";

  private Likeness() {}

  /** The differences between {@code actual} and {@code shown}; empty if there are none. */
  static List<String> differences(JsonNode shown, JsonNode actual) {
    List<String> differences = new ArrayList<>();
    compare("", shown, actual, differences);
    return differences;
  }

  static boolean text(String shown, String actual) {
    if (matches(GUID, shown, actual) || matches(TIME, shown, actual)) {
      return true;
    }
    StringBuilder pattern = new StringBuilder();
    for (String piece : shown.split("…", -1)) {
      pattern.append(pattern.isEmpty() ? "" : "(?s:.*)").append(Pattern.quote(piece));
    }
    return actual.matches(pattern.toString());
  }

  private static boolean matches(String form, String shown, String actual) {
    return shown.matches(form) && actual.matches(form);
  }

  private static void compare(String at, JsonNode shown, JsonNode actual, List<String> into) {
    if (shown.isString() && shown.asString().equals("…")) {
      return;
    }
    if (shown.isObject() && actual.isObject()) {
      List<String> names = List.copyOf(shown.propertyNames());
      if (!names.equals(List.copyOf(actual.propertyNames()))) {
        into.add(at + " has the fields " + actual.propertyNames() + ", not " + names);
        return;
      }
      names.forEach(name -> compare(at + "." + name, shown.get(name), actual.get(name), into));
    } else if (shown.isArray() && actual.isArray()) {
      elements(at, shown, actual, into);
    } else if (shown.isString() && actual.isString()) {
      if (!text(shown.asString(), actual.asString())) {
        into.add(at + " is " + actual + ", not " + shown);
      }
    } else if (!shown.toString().equals(actual.toString())) {
      into.add(at + " is " + actual + ", not " + shown);
    }
  }

  private static void elements(String at, JsonNode shown, JsonNode actual, List<String> into) {
    Iterator<JsonNode> rest = actual.iterator();
    int index = 0;
    for (JsonNode element : shown) {
      if (element.isString() && element.asString().equals("…") && index == shown.size() - 1) {
        return;
      }
      if (!rest.hasNext()) {
        into.add(at + " ends after " + index);
        return;
      }
      compare(at + "[" + index++ + "]", element, rest.next(), into);
    }
    if (rest.hasNext()) {
      into.add(at + " goes on with " + rest.next());
    }
  }
}
