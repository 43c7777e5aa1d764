package io.stockroom.protocol.check;

import io.stockroom.protocol.Spelling;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests a known word for an unknown one. */
final class NearestWord {
  private NearestWord() {}

  /**
   * The known word within {@code most} edits of {@code word}, ignoring case, dashes and
   * underscores.
   */
  static Optional<String> nearest(String word, Collection<String> known, int most) {
    String plain = plain(word);
    return known.stream()
        .filter(candidate -> Spelling.distance(plain, plain(candidate)) <= most)
        .min(Comparator.comparingInt(candidate -> Spelling.distance(plain, plain(candidate))));
  }

  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replaceAll("[-_ .]", "");
  }
}
