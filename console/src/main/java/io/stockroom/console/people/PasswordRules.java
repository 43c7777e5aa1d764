package io.stockroom.console.people;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rejects weak passwords: short ones, and those that an attacker tries first. There are no
 * composition rules: they make passwords harder to remember but not harder to guess.
 */
public final class PasswordRules {
  /** Makes guessing over the network infeasible. */
  public static final int MIN_CHARACTERS = 12;

  public static final int MAX_CHARACTERS = 200;

  private static final String PRODUCT = "stockroom";
  private static final int MIN_DISTINCT = 4;

  /** How many characters must remain after removing the person's name, address or merchant. */
  private static final int MIN_BESIDE_A_NAME = 8;

  /** A password that repeats a unit of at most this length is weak. */
  private static final int MAX_REPEATED_UNIT = 4;

  /** A password with at most this many jumps consists of two or three runs such as abcd or 4321. */
  private static final int MAX_JUMPS = 2;

  private static final List<String> KEYBOARD_ROWS =
      List.of("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm");

  private static final Pattern AROUND_THE_WORD = Pattern.compile("^[^\\p{L}]+|[^\\p{L}]+$");

  private PasswordRules() {}

  /** Why a password is rejected. */
  public enum Weakness {
    SHORT("password.short"),
    LONG("password.long"),
    REPEATED("password.repeated"),
    SEQUENTIAL("password.sequential"),
    COMMON("password.common"),
    PERSONAL("password.personal");

    private final String message;

    Weakness(String message) {
      this.message = message;
    }

    /** The message key of the explanation. */
    public String message() {
      return message;
    }
  }

  /** Loads the list of common passwords on first use. */
  private static final class Common {
    static final Set<String> PASSWORDS = read();

    private static Set<String> read() {
      try (InputStream stream =
              PasswordRules.class.getResourceAsStream("/people/common-passwords.txt");
          BufferedReader reader =
              new BufferedReader(
                  new InputStreamReader(Objects.requireNonNull(stream), StandardCharsets.UTF_8))) {
        return reader
            .lines()
            .filter(line -> !line.startsWith("#"))
            .collect(Collectors.toUnmodifiableSet());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * The weakness of a new password; null if it is strong enough.
   *
   * @param merchantName empty for an operator
   */
  public static @Nullable Weakness weakness(String password, String email, String merchantName) {
    int characters = password.codePointCount(0, password.length());
    if (characters < MIN_CHARACTERS) {
      return Weakness.SHORT;
    }
    if (characters > MAX_CHARACTERS) {
      return Weakness.LONG;
    }
    String plain = plain(password);
    if (isPersonal(plain, email, merchantName)) {
      return Weakness.PERSONAL;
    }
    String unit = repeatedUnit(plain);
    if (plain.codePoints().distinct().count() < MIN_DISTINCT
        || unit.length() <= MAX_REPEATED_UNIT) {
      return Weakness.REPEATED;
    }
    if (isSequential(plain)) {
      return Weakness.SEQUENTIAL;
    }
    return isCommon(plain) || isCommon(unit) ? Weakness.COMMON : null;
  }

  private static String plain(String text) {
    return Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
  }

  /** Ignores digits and symbols around a common password. */
  private static boolean isCommon(String password) {
    Predicate<String> isListed = Common.PASSWORDS::contains;
    return isListed.test(password)
        || isListed.test(AROUND_THE_WORD.matcher(password).replaceAll(""));
  }

  private static boolean isPersonal(String password, String email, String merchantName) {
    return List.of(PRODUCT, email, email.split("@", 2)[0], merchantName).stream()
        .map(PasswordRules::plain)
        .filter(name -> !name.isEmpty() && password.contains(name))
        .anyMatch(name -> password.length() - name.length() < MIN_BESIDE_A_NAME);
  }

  /**
   * The shortest prefix whose repetition yields the password; the last repetition may be partial.
   */
  private static String repeatedUnit(String password) {
    for (int length = 1; length <= password.length() / 2; length++) {
      if (password.regionMatches(0, password, length, password.length() - length)) {
        return password.substring(0, length);
      }
    }
    return password;
  }

  private static boolean isSequential(String password) {
    int[] points = password.codePoints().toArray();
    int jumps = 0;
    for (int i = 1; i < points.length; i++) {
      if (!follows(points[i - 1], points[i])) {
        jumps++;
      }
    }
    return jumps <= MAX_JUMPS;
  }

  private static boolean follows(int before, int after) {
    if (Math.abs(after - before) == 1) {
      return true;
    }
    return KEYBOARD_ROWS.stream()
        .filter(row -> row.indexOf(before) >= 0 && row.indexOf(after) >= 0)
        .anyMatch(row -> Math.abs(row.indexOf(after) - row.indexOf(before)) == 1);
  }
}
