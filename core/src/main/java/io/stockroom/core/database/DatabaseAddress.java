package io.stockroom.core.database;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where the database is and who we are there.
 *
 * @param jdbcUrl without user and passwords
 * @param keyPassword of the private key of a client certificate; empty if there is none
 */
public record DatabaseAddress(String jdbcUrl, String user, String password, String keyPassword) {
  private static final String USER = "user";
  private static final String PASSWORD = "password";
  private static final String KEY_PASSWORD = "sslpassword";

  private static final Pattern SCHEME =
      Pattern.compile("(?:jdbc:postgresql:|postgres(?:ql)?://).*", Pattern.DOTALL);
  private static final Pattern PARTS =
      Pattern.compile(
          "(?:jdbc:postgresql|postgres(?:ql)?)://(?:(?<login>[^/?#]*)@)?(?<hosts>[^/?#@]*)"
              + "(?<path>/[^?#@]*)?(?:\\?(?<query>[^#@]*))?");
  private static final Pattern HOST =
      Pattern.compile("(?:\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?");
  private static final Pattern PARAMETER = Pattern.compile("[A-Za-z][A-Za-z0-9_.]*");
  private static final Pattern SECRET = Pattern.compile(".*(?:pass|secret).*");

  /** As in {@code postgresql://user:password@host/name}. */
  private static final Pattern SHOWN_LOGIN = Pattern.compile("(?<=://)([^/?#:]*:)[^/?#]*@");

  /** As in {@code jdbc:postgresql://host/name?password=…}. */
  private static final Pattern SHOWN_PARAMETER =
      Pattern.compile("([?&](?:ssl)?password=)[^&#]+", Pattern.CASE_INSENSITIVE);

  public DatabaseAddress(String jdbcUrl, String user, String password) {
    this(jdbcUrl, user, password, "");
  }

  /**
   * Takes apart {@code postgresql://user:password@host:port/name}, or the same with {@code
   * jdbc:postgresql://} and {@code ?user=…&password=…&sslpassword=…}, so that no password stays in
   * what is stored and shown. The user and password of the URL beat the others.
   *
   * @throws IllegalArgumentException with a message that contains nothing secret
   */
  public static DatabaseAddress parse(String url, String user, String password) {
    if (!SCHEME.matcher(url).matches()) {
      throw new IllegalArgumentException(
          "The database URL must begin with postgresql:// or jdbc:postgresql://, such as"
              + " postgresql://stockroom@localhost:5432/stockroom");
    }
    Matcher parts = PARTS.matcher(url);
    if (!parts.matches()) {
      throw unreadable();
    }
    String hosts = parts.group("hosts");
    if (hosts.isEmpty()) {
      throw new IllegalArgumentException("The database URL names no host.");
    }
    for (String host : hosts.split(",", -1)) {
      if (!HOST.matcher(host).matches()) {
        throw unreadable();
      }
    }
    Map<String, String> login = login(parts.group("login"));
    List<String> rest = new ArrayList<>();
    for (String parameter : Objects.requireNonNullElse(parts.group("query"), "").split("&")) {
      if (!parameter.isEmpty() && !take(parameter, login)) {
        rest.add(parameter);
      }
    }
    return new DatabaseAddress(
        "jdbc:postgresql://"
            + hosts
            + Objects.requireNonNullElse(parts.group("path"), "")
            + (rest.isEmpty() ? "" : "?" + String.join("&", rest)),
        login.getOrDefault(USER, user),
        login.getOrDefault(PASSWORD, password),
        login.getOrDefault(KEY_PASSWORD, ""));
  }

  private static Map<String, String> login(@Nullable String text) {
    Map<String, String> login = new HashMap<>();
    if (text != null) {
      String[] halves = text.replace("+", "%2B").split(":", 2);
      if (!halves[0].isEmpty()) {
        login.put(USER, decode(halves[0]));
      }
      if (halves.length > 1) {
        login.put(PASSWORD, decode(halves[1]));
      }
    }
    return login;
  }

  /** Whether the parameter belongs to the login, and is now there. */
  private static boolean take(String parameter, Map<String, String> login) {
    String[] halves = parameter.split("=", 2);
    String name = halves[0];
    if (!PARAMETER.matcher(name).matches()) {
      // the driver does not decode names, so an encoded one could hide a password
      throw unreadable();
    }
    String known = name.toLowerCase(Locale.ROOT);
    if (!Set.of(USER, PASSWORD, KEY_PASSWORD).contains(known)) {
      if (SECRET.matcher(known).matches()) {
        throw new IllegalArgumentException(
            "The database URL has the parameter %s, which may contain a secret. Leave it out."
                .formatted(name));
      }
      return false;
    }
    if (login.put(known, halves.length > 1 ? decode(halves[1]) : "") != null) {
      throw new IllegalArgumentException("The database URL contains %s twice.".formatted(known));
    }
    return true;
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      throw unreadable();
    }
  }

  private static IllegalArgumentException unreadable() {
    return new IllegalArgumentException(
        "The database URL cannot be read. Write it as postgresql://USER@HOST:PORT/NAME, with special"
            + " characters percent-encoded, and pass the password separately.");
  }

  /** A database URL as it may be shown: without passwords; nothing of one that is unreadable. */
  public static String shown(String url) {
    try {
      parse(url, "", "");
    } catch (IllegalArgumentException unreadable) {
      return url.isEmpty() ? "" : "(not shown)";
    }
    String shown = SHOWN_LOGIN.matcher(url).replaceAll("$1…@");
    return SHOWN_PARAMETER.matcher(shown).replaceAll("$1…");
  }

  /**
   * This address with its own login, or else that of another database on the same server: a login
   * is never sent to another one.
   *
   * @throws IllegalArgumentException if there is no user, and the URLs differ in more than the name
   *     of the database
   */
  public DatabaseAddress orLoginOf(DatabaseAddress other) {
    if (!user.isEmpty()) {
      return this;
    }
    if (!withoutName(jdbcUrl).equals(withoutName(other.jdbcUrl))) {
      throw new IllegalArgumentException(
          "The database URL names no user, and the login of the directory is not for other"
              + " servers. Name its own user.");
    }
    return new DatabaseAddress(jdbcUrl, other.user, other.password, other.keyPassword);
  }

  private static String withoutName(String jdbcUrl) {
    return jdbcUrl.replaceFirst("(?<=//)([^/?]+)/[^?]*", "$1");
  }

  /** The same database with one more parameter of the driver. */
  public DatabaseAddress with(String parameter) {
    String mark = jdbcUrl.contains("?") ? "&" : "?";
    return new DatabaseAddress(jdbcUrl + mark + parameter, user, password, keyPassword);
  }

  /** What the driver needs to log in. */
  Properties login() {
    Properties login = new Properties();
    login.setProperty(USER, user);
    login.setProperty(PASSWORD, password);
    if (!keyPassword.isEmpty()) {
      login.setProperty(KEY_PASSWORD, keyPassword);
    }
    return login;
  }

  /** Connections without a pool. */
  DataSource dataSource() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(jdbcUrl);
    source.setUser(user);
    source.setPassword(password);
    if (!keyPassword.isEmpty()) {
      source.setSslPassword(keyPassword);
    }
    return source;
  }

  /** Keeps the passwords out of logs. */
  @Override
  public String toString() {
    return jdbcUrl;
  }
}
