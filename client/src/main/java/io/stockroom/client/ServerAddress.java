package io.stockroom.client;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses a server URL and explains what is wrong with an invalid one. */
final class ServerAddress {
  private static final Pattern SCHEME = Pattern.compile("^([A-Za-z][A-Za-z0-9+.-]*)://.*");
  private static final Pattern CALL =
      Pattern.compile("(?i)/(stock/(product|list|creat)|product/(detail|publish)|usage)$");
  private static final Pattern LOCAL =
      Pattern.compile("(?i)^(localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1\\])([:/].*)?$");
  private static final int LAST_PORT = 65535;

  private ServerAddress() {}

  /** Returns the URL without a trailing slash; it may contain a path prefix. */
  static URI parse(String address) {
    String text = address.strip().replaceAll("/+$", "");
    if (text.isEmpty()) {
      throw wrong("The address of the server is empty", "https://stock.example");
    }
    if (text.contains("@")) {
      // keep user name and password out of logs
      throw wrong(
          "The address of the server has a user name in it (before the @); credentials go into"
              + " appid, secret and accesstoken",
          "https://stock.example");
    }
    requireWeb(text);
    URI uri = uri(text);
    if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
      throw wrong(quoted(text) + " has more than an address in it", text.replaceAll("[?#].*", ""));
    }
    Matcher call = CALL.matcher(text);
    if (call.find()) {
      throw wrong(quoted(text) + " is the address of one call", text.substring(0, call.start()));
    }
    return uri;
  }

  private static void requireWeb(String text) {
    Matcher scheme = SCHEME.matcher(text);
    if (!scheme.matches()) {
      String rest = text.replaceFirst("^(?i)https?:/?", "");
      String guess = (LOCAL.matcher(rest).matches() ? "http://" : "https://") + rest;
      throw wrong(quoted(text) + " does not begin with http:// or https://", guess);
    }
    String name = scheme.group(1).toLowerCase(Locale.ROOT);
    if (!name.equals("http") && !name.equals("https")) {
      throw wrong(
          quoted(text) + " begins with " + name + "://, and servers are reached by https or http",
          "https" + text.substring(name.length()));
    }
  }

  private static URI uri(String text) {
    URI uri;
    try {
      uri = URI.create(text);
    } catch (IllegalArgumentException broken) {
      throw new IllegalArgumentException(
          sentence(quoted(text) + " has characters that no address has", "https://stock.example"),
          broken);
    }
    if (uri.getHost() == null) {
      throw wrong(quoted(text) + " names no host", "https://stock.example");
    }
    if (uri.getPort() > LAST_PORT || uri.getPort() == 0) {
      throw wrong(quoted(text) + " has no possible port", "http://localhost:8080");
    }
    return uri;
  }

  private static IllegalArgumentException wrong(String what, String right) {
    return new IllegalArgumentException(sentence(what, right));
  }

  private static String sentence(String what, String right) {
    return what + ". Write the server's address alone, such as " + right + ".";
  }

  private static String quoted(String text) {
    return "\"" + text + "\"";
  }
}
