package io.stockroom.protocol.check;

import io.stockroom.protocol.check.Endpoint.Takes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Whether the body is of the kind that the call takes, and says so. */
final class ContentRules {
  static final List<Rule> ALL =
      List.of(
          ContentRules::compression, ContentRules::size, ContentRules::type, ContentRules::charset);

  static final String FORM = "application/x-www-form-urlencoded";
  static final String JSON = "application/json";

  private static final int MOST_BYTES = 2 * 1024 * 1024;
  private static final String WHERE = "headers.Content-Type";

  private ContentRules() {}

  /** How the body is compressed, in lower case; empty where it is not. */
  static String encoding(CapturedRequest request) {
    String encoding =
        String.join(", ", request.values("Content-Encoding")).toLowerCase(Locale.ROOT);
    return encoding.equals("identity") ? "" : encoding;
  }

  private static void compression(Facts facts, Findings findings) {
    String encoding = encoding(facts.request());
    if (!encoding.isEmpty() && !encoding.equals("gzip") && !encoding.equals("x-gzip")) {
      findings.add(
          Mistake.CONTENT_ENCODING,
          "headers.Content-Encoding",
          "gzip",
          facts.header("Content-Encoding"));
    }
  }

  /** Whether the body is written as JSON, whatever its header says. */
  static boolean looksLikeJson(String body) {
    String text = body.strip();
    text = text.startsWith("\uFEFF") ? text.substring(1).strip() : text;
    return text.startsWith("[") || text.startsWith("{");
  }

  /** Whether this call reads its body as JSON. */
  static boolean isReadAsJson(Facts facts) {
    Endpoint endpoint = facts.endpoint();
    return endpoint != null
        && (endpoint.takes() == Takes.JSON
            || (endpoint.takes() == Takes.ANYTHING && facts.mediaType().equals(JSON)));
  }

  private static void size(Facts facts, Findings findings) {
    int bytes = facts.body().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MOST_BYTES) {
      findings.add(Mistake.BODY_TOO_LARGE, "body", "≤ " + MOST_BYTES, Integer.toString(bytes));
    }
  }

  private static void type(Facts facts, Findings findings) {
    Endpoint endpoint = facts.endpoint();
    if (endpoint == null) {
      return;
    }
    String type = facts.mediaType();
    boolean known = facts.request().body() != null;
    boolean empty = known && facts.body().isEmpty();
    Takes takes = endpoint.takes();
    String wanted = takes == Takes.JSON ? JSON : FORM;
    boolean json = looksLikeJson(facts.body());
    if (type.equals("multipart/form-data")) {
      findings.add(Mistake.BODY_MULTIPART, WHERE, wanted, type);
    } else if (empty && takes != Takes.JSON && takes != Takes.FORM) {
      return;
    } else if (empty && takes == Takes.JSON) {
      findings.add(Mistake.BODY_MISSING, "body", "[ … ]", "");
    } else if (type.isEmpty()) {
      findings.add(Mistake.CONTENT_TYPE_MISSING, WHERE, wanted, "");
    } else if (type.equals(FORM) && json && takes != Takes.FORM && takes != Takes.FORM_OR_QUERY) {
      findings.add(Mistake.BODY_JSON_AS_FORM, WHERE, JSON, FORM);
    } else if (type.equals(JSON) && takes != Takes.JSON && takes != Takes.ANYTHING) {
      findings.add(Mistake.BODY_FORM_AS_JSON, WHERE, FORM, JSON);
    } else if (!type.equals(wanted) && !(takes == Takes.ANYTHING && type.equals(JSON))) {
      findings.add(Mistake.CONTENT_TYPE_WRONG, WHERE, wanted, type);
    }
  }

  private static void charset(Facts facts, Findings findings) {
    String header = facts.header("Content-Type").toLowerCase(Locale.ROOT);
    int start = header.indexOf("charset=");
    if (start < 0 || !facts.mediaType().equals(JSON)) {
      return;
    }
    String charset =
        header.substring(start + "charset=".length()).split(";", 2)[0].replace("\"", "").strip();
    if (!charset.equals("utf-8") && !findings.at(WHERE)) {
      findings.add(Mistake.CONTENT_TYPE_CHARSET, WHERE, "utf-8", charset);
    }
  }
}
