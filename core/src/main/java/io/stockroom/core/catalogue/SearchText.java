package io.stockroom.core.catalogue;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The text that a search looks through, in a form that a trigram index can search whatever the
 * locale of the database. Letters become lower case and full-width characters half-width. A
 * character outside ASCII becomes {@code ~} and four letters or digits: PostgreSQL's trigrams skip
 * such characters in the C locale, and a Chinese word of two characters has no trigram at all.
 */
final class SearchText {
  /** More words make a search slower, but not more precise. */
  private static final int MAX_WORDS = 8;

  private static final int RADIX = 36;
  private static final int DIGITS = 4;
  private static final int MIN_TRIGRAM = 3;

  private SearchText() {}

  /** All texts of a product in one. Every word follows a space. */
  static String of(List<String> texts) {
    return " " + encoded(String.join(" ", texts));
  }

  /**
   * A pattern of {@code like} for each word of a query: every word may be anywhere. Words of one or
   * two letters match only the beginning of a word, because they have no trigram.
   */
  static List<String> patterns(String query) {
    List<String> patterns = new ArrayList<>();
    for (String word : encoded(query).strip().split("\\s+")) {
      if (!word.isEmpty() && patterns.size() < MAX_WORDS) {
        String literal = word.replaceAll("([\\\\%_])", "\\\\$1");
        patterns.add((word.length() < MIN_TRIGRAM ? "% " : "%") + literal + "%");
      }
    }
    return List.copyOf(patterns);
  }

  /** Spaces and control characters become one space. */
  private static String encoded(String text) {
    String plain = Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    StringBuilder encoded = new StringBuilder(plain.length() * 2);
    plain
        .codePoints()
        .forEach(
            point -> {
              if (point <= ' ' || point == '~' || Character.isSpaceChar(point)) {
                if (encoded.isEmpty() || encoded.charAt(encoded.length() - 1) != ' ') {
                  encoded.append(' ');
                }
              } else if (point < 0x7f) {
                encoded.appendCodePoint(point);
              } else {
                String digits = Integer.toString(point, RADIX);
                encoded.append('~').repeat('0', DIGITS - digits.length()).append(digits);
              }
            });
    return encoded.toString();
  }
}
