package io.stockroom.server.http;

import java.util.Locale;

/** The path of a request target as it was sent, with nothing decoded. */
final class RawPath {
  private RawPath() {}

  /**
   * Whether a proxy and this server could take the path for two different addresses. A rule of the
   * proxy about one of them would then not protect the other.
   */
  static boolean isAmbiguous(String path) {
    if (path.indexOf(';') >= 0 || path.indexOf('\\') >= 0 || path.contains("//")) {
      return true;
    }
    if (path.indexOf('.') < 0 && path.indexOf('%') < 0) {
      return false;
    }
    String lower = path.toLowerCase(Locale.ROOT);
    if (lower.contains("%2f") || lower.contains("%5c")) {
      return true;
    }
    for (String segment : lower.replace("%2e", ".").split("/", -1)) {
      if (segment.equals(".") || segment.equals("..")) {
        return true;
      }
    }
    return false;
  }
}
