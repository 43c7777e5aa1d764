package io.stockroom.protocol.check;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.check.Endpoint.Takes;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Checks the query string and the body with the readers that the server uses. */
final class BodyRules {
  static final List<Rule> ALL =
      List.of(BodyRules::compression, BodyRules::mark, BodyRules::content);

  private static final String TYPE = "headers.Content-Type";
  private static final String MULTIPART = "multipart/form-data";
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private BodyRules() {}

  /** Whether the body looks like JSON, regardless of its Content-Type. */
  static boolean looksLikeJson(String body) {
    String text = body.strip();
    text = text.indexOf(BYTE_ORDER_MARK) == 0 ? text.substring(1).strip() : text;
    return text.startsWith("[") || text.startsWith("{");
  }

  private static void compression(CheckInput facts, CheckProblems problems) {
    List<String> headers = facts.request().values("Content-Encoding");
    String encoding = RequestContent.encoding(headers);
    if (!encoding.isEmpty() && !encoding.equals("gzip") && !encoding.equals("x-gzip")) {
      problems.add(Cause.CONTENT_ENCODING, "headers.Content-Encoding", "gzip", headers.get(0));
    }
  }

  private static void mark(CheckInput facts, CheckProblems problems) {
    if (facts.body().indexOf(BYTE_ORDER_MARK) == 0 && looksLikeJson(facts.body())) {
      problems.add(Cause.JSON_BOM, "body", "[", "U+FEFF [");
    }
  }

  private static void content(CheckInput facts, CheckProblems problems) {
    Endpoint endpoint = facts.endpoint();
    byte[] body = facts.body().getBytes(StandardCharsets.UTF_8);
    if (body.length > RequestContent.MAX_BYTES) {
      String most = "≤ " + RequestContent.MAX_BYTES;
      problems.add(Cause.BODY_TOO_LARGE, "body", most, Integer.toString(body.length));
    } else if (endpoint != null) {
      RequestContent content =
          RequestContent.of(facts.header("Content-Type"), facts.request().query(), body);
      read(endpoint, content, facts, problems);
    }
  }

  private static void read(
      Endpoint endpoint, RequestContent content, CheckInput facts, CheckProblems problems) {
    try {
      if (facts.request().body() == null) {
        endpoint.requireType(content);
      } else {
        endpoint.read(content);
      }
    } catch (InvalidRequest invalid) {
      Problem first = invalid.problems().get(0);
      boolean isJson = looksLikeJson(facts.body());
      if (first.code() == ErrorCode.CONTENT_TYPE) {
        type(endpoint, content, isJson, problems);
        String expected = endpoint.type();
        boolean isOfThatType = isJson == expected.equals(RequestContent.JSON);
        if (isOfThatType && !content.contentType().equals(expected)) {
          // the wrong type is already reported; now find what else is wrong
          read(
              endpoint,
              RequestContent.of(expected, content.query(), content.body()),
              facts,
              problems);
        }
      } else if (isJson
          && endpoint.takes() == Takes.ANYTHING
          && content.contentType().equals(RequestContent.FORM)) {
        problems.add(Cause.BODY_JSON_AS_FORM, TYPE, RequestContent.JSON, RequestContent.FORM);
      } else {
        BodyCauses causes = new BodyCauses(endpoint, content, facts.body(), problems);
        invalid.problems().forEach(causes::add);
      }
    }
  }

  private static void type(
      Endpoint endpoint, RequestContent content, boolean isJson, CheckProblems problems) {
    String type = content.contentType();
    String expected = endpoint.type();
    if (type.equals(MULTIPART)) {
      problems.add(Cause.BODY_MULTIPART, TYPE, expected, type);
    } else if (content.body().length == 0 && endpoint.takes() == Takes.JSON) {
      problems.add(Cause.BODY_MISSING, "body", "[ … ]", "");
    } else if (type.isEmpty()) {
      problems.add(Cause.CONTENT_TYPE_MISSING, TYPE, expected, "");
    } else if (type.equals(expected)) {
      problems.add(Cause.CONTENT_TYPE_CHARSET, TYPE, "utf-8", content.charset());
    } else if (type.equals(RequestContent.FORM) && isJson) {
      problems.add(Cause.BODY_JSON_AS_FORM, TYPE, expected, type);
    } else if (type.equals(RequestContent.JSON)) {
      problems.add(Cause.BODY_FORM_AS_JSON, TYPE, expected, type);
    } else {
      problems.add(Cause.CONTENT_TYPE_WRONG, TYPE, expected, type);
    }
  }
}
