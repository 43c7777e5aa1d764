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

  private static void compression(Check check) {
    List<String> headers = check.request().values("Content-Encoding");
    String encoding = RequestContent.encoding(headers);
    if (!encoding.isEmpty() && !encoding.equals("gzip") && !encoding.equals("x-gzip")) {
      check.report(Cause.CONTENT_ENCODING, "headers.Content-Encoding", "gzip", headers.get(0));
    }
  }

  private static void mark(Check check) {
    if (check.body().indexOf(BYTE_ORDER_MARK) == 0 && looksLikeJson(check.body())) {
      check.report(Cause.JSON_BOM, "body", "[", "U+FEFF [");
    }
  }

  private static void content(Check check) {
    Endpoint endpoint = check.endpoint();
    byte[] body = check.body().getBytes(StandardCharsets.UTF_8);
    if (body.length > RequestContent.MAX_BYTES) {
      String most = "≤ " + RequestContent.MAX_BYTES;
      check.report(Cause.BODY_TOO_LARGE, "body", most, Integer.toString(body.length));
    } else if (endpoint != null) {
      RequestContent content =
          RequestContent.of(check.header("Content-Type"), check.request().query(), body);
      read(endpoint, content, check);
    }
  }

  private static void read(Endpoint endpoint, RequestContent content, Check check) {
    try {
      if (check.request().body() == null) {
        endpoint.requireType(content);
      } else {
        endpoint.read(content);
      }
    } catch (InvalidRequest invalid) {
      Problem first = invalid.problems().get(0);
      boolean isJson = looksLikeJson(check.body());
      if (first.code() == ErrorCode.CONTENT_TYPE) {
        type(endpoint, content, isJson, check);
        String expected = endpoint.type();
        boolean isOfThatType = isJson == expected.equals(RequestContent.JSON);
        if (isOfThatType && !content.contentType().equals(expected)) {
          // the wrong type is already reported; now find what else is wrong
          read(endpoint, RequestContent.of(expected, content.query(), content.body()), check);
        }
      } else if (isJson
          && endpoint.takes() == Takes.ANYTHING
          && content.contentType().equals(RequestContent.FORM)) {
        check.report(Cause.BODY_JSON_AS_FORM, TYPE, RequestContent.JSON, RequestContent.FORM);
      } else {
        BodyCauses causes = new BodyCauses(endpoint, content, check);
        invalid.problems().forEach(causes::add);
      }
    }
  }

  private static void type(Endpoint endpoint, RequestContent content, boolean isJson, Check check) {
    String type = content.contentType();
    String expected = endpoint.type();
    if (type.equals(MULTIPART)) {
      check.report(Cause.BODY_MULTIPART, TYPE, expected, type);
    } else if (content.body().length == 0 && endpoint.takes() == Takes.JSON) {
      check.report(Cause.BODY_MISSING, "body", "[ … ]", "");
    } else if (type.isEmpty()) {
      check.report(Cause.CONTENT_TYPE_MISSING, TYPE, expected, "");
    } else if (type.equals(expected)) {
      check.report(Cause.CONTENT_TYPE_CHARSET, TYPE, "utf-8", content.charset());
    } else if (type.equals(RequestContent.FORM) && isJson) {
      check.report(Cause.BODY_JSON_AS_FORM, TYPE, expected, type);
    } else if (type.equals(RequestContent.JSON)) {
      check.report(Cause.BODY_FORM_AS_JSON, TYPE, expected, type);
    } else {
      check.report(Cause.CONTENT_TYPE_WRONG, TYPE, expected, type);
    }
  }
}
