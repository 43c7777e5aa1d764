package io.stockroom.core.admission;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What admission needs to know of a request whose header has arrived. It accepts only requests that
 * can be read in one way; Tomcat parses all others.
 *
 * @param token the access token; empty if there is none
 * @param language the {@code Accept-Language} header; empty if there is none
 * @param length how long header and body are together
 */
public record RequestHead(String path, String token, String language, int length) {
  private static final String METHOD = "POST ";
  private static final String VERSION = " HTTP/1.1";
  private static final String LINE_END = "\r\n";

  /** The fields that are read here, or that leave the request to Tomcat. */
  private static final List<String> RELEVANT =
      List.of(
          "accesstoken",
          "accept-language",
          "content-length",
          "connection",
          "expect",
          "upgrade",
          "transfer-encoding");

  /** More digits might overflow an int. */
  private static final int MAX_DIGITS = 9;

  /** Whether this is the beginning of a header that has not ended, without a mistake so far. */
  static boolean isIncomplete(byte[] bytes, int length) {
    for (int i = 0; i < length; i++) {
      boolean isNext = i > 0 && bytes[i - 1] == '\r';
      if (isNext != (bytes[i] == '\n') || !isText(bytes[i])) {
        return false;
      }
    }
    String text = new String(bytes, 0, length, ISO_8859_1);
    int line = text.indexOf(LINE_END);
    return length > 0
        && text.indexOf("\r\n\r\n") < 0
        && (line < 0 || text.startsWith(VERSION, line - VERSION.length()));
  }

  private static boolean isText(byte one) {
    return (one >= ' ' && one < 127) || one == '\t' || one == '\r' || one == '\n';
  }

  /** Null if the header has not ended, is not plain, or if more than the body follows it. */
  static @Nullable RequestHead read(byte[] bytes, int length) {
    String text = new String(bytes, 0, length, ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    String path = end < 0 ? null : path(text.substring(0, text.indexOf(LINE_END)));
    if (path == null) {
      return null;
    }
    String token = "";
    String language = "";
    int body = -1;
    int next = text.indexOf(LINE_END);
    while (next < end) {
      int line = next + LINE_END.length();
      next = text.indexOf(LINE_END, line);
      int colon = text.indexOf(':', line);
      if (!isField(text, line, colon, next)) {
        return null;
      }
      String name = relevant(text, line, colon);
      String value = name.isEmpty() ? "" : text.substring(colon + 1, next).strip();
      switch (name) {
        case "accesstoken" -> token = value;
        case "accept-language" -> language = value;
        case "content-length" -> {
          if (body >= 0 || !isNumber(value)) {
            return null;
          }
          body = Integer.parseInt(value);
        }
        case "connection" -> {
          if (!value.equalsIgnoreCase("keep-alive")) {
            return null;
          }
        }
        case "expect", "upgrade", "transfer-encoding" -> {
          return null;
        }
        default -> {
          // does not affect how the request is read
        }
      }
    }
    // a request without a body may leave its length out
    int whole = end + 2 * LINE_END.length() + Math.max(body, 0);
    return whole < length ? null : new RequestHead(path, token, language, whole);
  }

  /** The name of this field in lowercase if it matters here, else empty. */
  private static String relevant(String text, int line, int colon) {
    for (String name : RELEVANT) {
      if (name.length() == colon - line && text.regionMatches(true, line, name, 0, name.length())) {
        return name;
      }
    }
    return "";
  }

  /** The path without the query; null if the request line is not plain or has escapes. */
  private static @Nullable String path(String line) {
    int end = line.length() - VERSION.length();
    if (!line.startsWith(METHOD) || !line.endsWith(VERSION) || end <= METHOD.length()) {
      return null;
    }
    String target = line.substring(METHOD.length(), end);
    int query = target.indexOf('?');
    String path = query < 0 ? target : target.substring(0, query);
    // a loop, as below: the poller thread reads every request
    for (int i = 0; i < target.length(); i++) {
      if (target.charAt(i) <= ' ' || target.charAt(i) >= 127) {
        return null;
      }
    }
    return path.indexOf('%') < 0 && path.indexOf(';') < 0 ? path : null;
  }

  private static boolean isField(String text, int line, int colon, int end) {
    if (colon <= line || colon >= end || !hasNoControls(text, line, end)) {
      return false;
    }
    for (int i = line; i < colon; i++) {
      if (text.charAt(i) == ' ' || text.charAt(i) == '\t') {
        return false;
      }
    }
    return true;
  }

  private static boolean hasNoControls(String text, int start, int end) {
    for (int i = start; i < end; i++) {
      if (text.charAt(i) < ' ' && text.charAt(i) != '\t') {
        return false;
      }
    }
    return true;
  }

  private static boolean isNumber(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < '0' || value.charAt(i) > '9') {
        return false;
      }
    }
    return !value.isEmpty() && value.length() <= MAX_DIGITS;
  }
}
