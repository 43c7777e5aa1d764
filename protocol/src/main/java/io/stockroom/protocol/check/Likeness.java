package io.stockroom.protocol.check;

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
        .filter(candidate -> distance(plain, plain(candidate)) <= most)
        .min(Comparator.comparingInt(candidate -> distance(plain, plain(candidate))));
  }

  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replaceAll("[-_ .]", "");
  }

  /** How many letters to insert, remove or replace. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int above = row[j];
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(above, row[j - 1]) + 1);
        diagonal = above;
      }
    }
    return row[to.length()];
  }
}
