package io.stockroom.protocol.check;

import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Text;
import io.stockroom.protocol.check.Endpoint.Takes;
import io.stockroom.protocol.request.CreateReader;
import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.JsonReason;
import io.stockroom.protocol.request.PublishReader;
import io.stockroom.protocol.request.RequestContent;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;

/** Finds the likely cause of what the reader rejects in a body. */
final class BodyCauses {
  private static final String BODY = "body";
  private static final String NUMBER = " … 2147483647";

  private final Endpoint endpoint;
  private final RequestContent content;
  private final Check check;
  private final String body;

  /** The values of the body; null if it is not JSON or is not read as JSON. */
  private final @Nullable JsonPlaces json;

  BodyCauses(Endpoint endpoint, RequestContent content, Check check) {
    this.endpoint = endpoint;
    this.content = content;
    this.check = check;
    this.body = check.body();
    this.json = content.contentType().equals(RequestContent.JSON) ? json(body) : null;
  }

  private static @Nullable JsonPlaces json(String body) {
    try {
      return JsonPlaces.read(body);
    } catch (JacksonException broken) {
      return null;
    }
  }

  void add(Problem problem) {
    String at = problem.at().isEmpty() ? BODY : problem.at();
    switch (problem.code()) {
      case FORM_BROKEN -> check.report(Cause.FORM_ENCODING, BODY, "%25", argument(problem, 0));
      case JSON_BROKEN -> broken(problem);
      case FIELD_MISSPELLED -> {
        String meant = argument(problem, 1);
        String parent = at.substring(0, at.length() - argument(problem, 0).length());
        check.report(Cause.FIELD_MISSPELT, parent + meant, meant, argument(problem, 0));
      }
      case FIELD_MISSING -> missing(at);
      case FIELD_REPEATED, FIELD_CONFLICT ->
          check.report(Cause.FIELD_REPEATED, at, "1 × " + at, at);
      case FIELD_TYPE -> type(at);
      case LIST_EMPTY -> check.report(Cause.LIST_EMPTY, at, "≥ 1", "0");
      case LIST_TOO_LONG ->
          check.report(Cause.LIST_TOO_LONG, at, "≤ " + argument(problem, 1), argument(problem, 0));
      case ENTRIES_TOO_MANY ->
          check.report(
              Cause.LIST_TOO_LONG, BODY, "≤ " + CreateReader.MAX_ENTRIES + " color × size", at);
      case ENTRY_REPEATED, BARCODE_REPEATED, PRODUCT_REPEATED ->
          check.report(Cause.ENTRY_REPEATED, at, "1 ×", repeated(problem));
      case BARCODE_ON_RANGE ->
          check.report(Cause.FIELD_VALUE, at, "\"size\": \"36\"", found(problem));
      case FIELD_CHOICE ->
          check.report(
              problem.arguments().get(1) instanceof List<?>
                  ? Cause.FIELD_VALUE
                  : Cause.FIELD_MISSING,
              at,
              "1 × " + argument(problem, 0),
              argument(problem, 1));
      case BOOLEAN_FORMAT -> check.report(Cause.FIELD_VALUE, at, "true, false", found(problem));
      default -> check.report(Cause.FIELD_VALUE, at, value(name(at)), found(problem));
    }
  }

  private void broken(Problem problem) {
    if (problem.arguments().get(2).equals(JsonReason.EMPTY.sentence())) {
      check.report(Cause.BODY_MISSING, BODY, "[ … ]", "");
      return;
    }
    JsonSyntaxError slip = JsonSyntaxError.of(body, problem);
    String where = "%s %d:%d".formatted(BODY, slip.line(), slip.column());
    check.report(slip.cause(), where, "", slip.found());
  }

  /** A field that is missing or has another name. */
  private void missing(String at) {
    String name = name(at);
    Optional<String> alias = FieldNames.alias(name, siblings(at), endpoint);
    if (alias.isPresent()) {
      check.report(Cause.FIELD_MISSPELT, at, name, alias.get());
    } else if (!check.hasReported(Cause.FORM_ENCODING)) {
      check.report(Cause.FIELD_MISSING, at, json == null ? name + "=…" : name, "");
    }
  }

  private List<String> siblings(String at) {
    return json == null
        ? FormReader.of(content).names()
        : json.names(at.substring(0, Math.max(0, at.lastIndexOf('.'))));
  }

  private void type(String at) {
    if (at.equals(BODY)) {
      shape();
      return;
    }
    boolean twice = json != null && isJsonText(json, at);
    check.report(
        twice && name(at).equals("param") ? Cause.JSON_TWICE : Cause.FIELD_TYPE,
        at,
        type(name(at), at),
        json == null ? "" : json.notation(at));
  }

  /** The body as a whole has the wrong type. */
  private void shape() {
    boolean isList = endpoint.takes() == Takes.JSON;
    String expected = isList ? "[ { … } ]" : "{\"pid\": 1}";
    String found = json == null ? "" : json.notation("");
    if (json != null && isJsonText(json, "")) {
      check.report(Cause.JSON_TWICE, BODY, expected, found);
    } else if (!isList) {
      check.report(Cause.FIELD_TYPE, BODY, expected, found);
    } else if (json != null && json.is(JsonToken.START_OBJECT, "")) {
      List<String> names = json.names("");
      boolean element = names.contains("pid") || names.contains("color");
      JsonPlaces places = json;
      boolean wraps = names.stream().anyMatch(name -> places.is(JsonToken.START_ARRAY, name));
      check.report(
          wraps && !element ? Cause.BODY_WRAPPED : Cause.BODY_NOT_ARRAY,
          BODY,
          expected,
          "{ " + String.join(", ", names) + " }");
    } else {
      check.report(Cause.BODY_NOT_ARRAY, BODY, expected, found);
    }
  }

  /** Whether a string holds JSON: it was encoded twice. */
  private static boolean isJsonText(JsonPlaces json, String at) {
    return json.is(JsonToken.VALUE_STRING, at) && BodyRules.looksLikeJson(json.text(at));
  }

  private static String type(String name, String at) {
    if (at.endsWith("]")) {
      return "{ … }";
    }
    return switch (name) {
      case "param" -> "[ {\"size\": …} ]";
      case "list" -> "[ { … } ]";
      case "pid", "stock", "size", "change", "set", "expect" -> value(name);
      default -> "\"…\"";
    };
  }

  private static String value(String name) {
    return switch (name) {
      case "color" -> "1 … " + Text.COLOR_CHARACTERS + " ×";
      case "barCode" -> "1 … " + Text.BARCODE_CHARACTERS + " ×";
      case "artNo" -> "1 … " + Text.ART_NO_CHARACTERS + " ×";
      case "size" -> "\"36\", \"36-40\", 36, 1 … 999";
      case "result" -> "published, failed, withdrawn";
      case "url" -> "≤ " + PublishReader.MAX_URL_CHARACTERS + " ×";
      case "msg" -> "≤ " + PublishReader.MAX_MESSAGE_CHARACTERS + " ×";
      case "stock", "set", "expect" -> "0" + NUMBER;
      case "change" -> "-2147483647 … -1, 1" + NUMBER;
      default -> "1" + NUMBER;
    };
  }

  private String found(Problem problem) {
    return json == null ? argument(problem, 0) : json.notation(problem.at());
  }

  /** An entry that occurs twice: product, color, size and the location of the first one. */
  private static String repeated(Problem problem) {
    return String.join(" ", problem.arguments().stream().map(Object::toString).toList());
  }

  private static String argument(Problem problem, int index) {
    return problem.arguments().get(index).toString();
  }

  private static String name(String at) {
    return at.substring(at.lastIndexOf('.') + 1);
  }
}
