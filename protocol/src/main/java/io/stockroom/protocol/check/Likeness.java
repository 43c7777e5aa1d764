package io.stockroom.protocol.check;

import io.stockroom.protocol.Spelling;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Which known word a stranger's word was probably meant to be. */
final class Likeness {
  private Likeness() {}

  /** The known word within {@code most} changes of {@code word}, case, dashes and lines aside. */
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
