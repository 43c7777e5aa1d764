package io.stockroom.core.database;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** Where the database is and who we are there. */
public record DatabaseAddress(String jdbcUrl, String user, String password) {

  /**
   * Reads {@code jdbc:postgresql://…} or {@code postgresql://user:password@host:port/name}; a user
   * in the URL beats {@code user}.
   */
  public static DatabaseAddress parse(String url, String user, String password) {
    if (url.startsWith("jdbc:postgresql:")) {
      return new DatabaseAddress(url, user, password);
    }
    if (!url.startsWith("postgresql://") && !url.startsWith("postgres://")) {
      throw new IllegalArgumentException(
          "The database URL must begin with postgresql:// or jdbc:postgresql://, such as"
              + " postgresql://stockroom@localhost:5432/stockroom");
    }
    try {
      URI uri = new URI(url);
      if (uri.getHost() == null) {
        throw new IllegalArgumentException("The database URL names no host.");
      }
      String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
      String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
      String jdbc = "jdbc:postgresql://" + uri.getHost() + port + uri.getRawPath() + query;
      String info = uri.getRawUserInfo();
      if (info == null) {
        return new DatabaseAddress(jdbc, user, password);
      }
      String[] halves = info.split(":", 2);
      String secret = halves.length > 1 ? decode(halves[1]) : password;
      return new DatabaseAddress(jdbc, decode(halves[0]), secret);
    } catch (URISyntaxException broken) {
      throw new IllegalArgumentException(
          "The database URL is not a URL: " + broken.getReason() + ".", broken);
    }
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Keeps the password out of logs. */
  @Override
  public String toString() {
    return jdbcUrl;
  }
}
