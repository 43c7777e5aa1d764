package io.stockroom.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.jspecify.annotations.Nullable;

/**
 * A request as its bytes lie there, before anybody has begun to serve it. Only one that is there as
 * a whole, alone, and can be read in one way: every other is for Tomcat to read.
 *
 * @param caller the access token that it names; empty where it says nothing
 * @param language what it says of the language of its answer; empty where it says nothing
 */
record PlainRequest(String path, String caller, String language) {
  private static final byte[] METHOD = "POST ".getBytes(ISO_8859_1);
  private static final byte[] VERSION = " HTTP/1.1".getBytes(ISO_8859_1);
  private static final String KEEP_ALIVE = "keep-alive";

  /** So many digits are always a number of ours. */
  private static final int MOST_DIGITS = 9;

  static @Nullable PlainRequest read(byte[] bytes, int length) {
    int end = endOfLine(bytes, 0, length);
    int version = end - VERSION.length;
    if (version <= METHOD.length || !isAt(bytes, 0, METHOD) || !isAt(bytes, version, VERSION)) {
      return null;
    }
    String path = path(bytes, METHOD.length, version);
    String caller = "";
    String language = "";
    int body = -1;
    for (int line = end + 2; ; line = end + 2) {
      end = endOfLine(bytes, line, length);
      if (end < 0 || path == null) {
        return null;
      }
      if (end == line) {
        // a request without a body may leave its length out
        return end + 2 + Math.max(body, 0) == length
            ? new PlainRequest(path, caller, language)
            : null;
      }
      int colon = colon(bytes, line, end);
      switch (colon - line) {
        case 6 -> {
          if (isName(bytes, line, "expect")) {
            return null;
          }
        }
        case 7 -> {
          if (isName(bytes, line, "upgrade")) {
            return null;
          }
        }
        case 10 -> {
          if (isName(bytes, line, "connection")
              && !value(bytes, colon, end).equalsIgnoreCase(KEEP_ALIVE)) {
            return null;
          }
        }
        case 11 -> {
          if (isName(bytes, line, "accesstoken")) {
            caller = value(bytes, colon, end);
          }
        }
        case 14 -> {
          if (isName(bytes, line, "content-length")) {
            if (body >= 0) {
              return null;
            }
            body = number(value(bytes, colon, end));
            if (body < 0) {
              return null;
            }
          }
        }
        case 15 -> {
          if (isName(bytes, line, "accept-language")) {
            language = value(bytes, colon, end);
          }
        }
        case 17 -> {
          if (isName(bytes, line, "transfer-encoding")) {
            return null;
          }
        }
        default -> {
          // no name before the colon, or none that matters here
          if (colon <= line) {
            return null;
          }
        }
      }
    }
  }

  /** Where the line ends that begins here; -1 where it does not, or not in CR and LF. */
  private static int endOfLine(byte[] bytes, int start, int length) {
    for (int at = start; at + 1 < length; at++) {
      byte each = bytes[at];
      if (each == '\r') {
        return bytes[at + 1] == '\n' ? at : -1;
      }
      if (each < ' ' && each >= 0 && each != '\t') {
        return -1;
      }
    }
    return -1;
  }

  /** Without its query; null where an escape would have to be read. */
  private static @Nullable String path(byte[] bytes, int start, int end) {
    int at = start;
    for (; at < end && bytes[at] != '?'; at++) {
      if (bytes[at] <= ' ' || bytes[at] == '%' || bytes[at] == ';') {
        return null;
      }
    }
    return new String(bytes, start, at - start, ISO_8859_1);
  }

  /** Where the name of a field ends; -1 where a line has none, or begins with white space. */
  private static int colon(byte[] bytes, int start, int end) {
    for (int at = start; at < end; at++) {
      if (bytes[at] == ':') {
        return at;
      }
      if (bytes[at] <= ' ') {
        return -1;
      }
    }
    return -1;
  }

  private static String value(byte[] bytes, int colon, int end) {
    return new String(bytes, colon + 1, end - colon - 1, ISO_8859_1).strip();
  }

  private static int number(String digits) {
    if (digits.isEmpty() || digits.length() > MOST_DIGITS) {
      return -1;
    }
    int number = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return number;
  }

  private static boolean isName(byte[] bytes, int start, String name) {
    for (int i = 0; i < name.length(); i++) {
      if ((bytes[start + i] | 0x20) != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAt(byte[] bytes, int start, byte[] expected) {
    for (int i = 0; i < expected.length; i++) {
      if (bytes[start + i] != expected[i]) {
        return false;
      }
    }
    return true;
  }
}
