package io.stockroom.protocol;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests the known name for a misspelled one. */
public final class Spelling {
  private Spelling() {}

  /**
   * Finds the known field that {@code name} misspells: one that differs only in case or by one
   * letter. Empty if {@code name} is a known field or is not a plain word.
   */
  public static Optional<String> misspelled(String name, Collection<String> known) {
    return known.contains(name) || !isWord(name) ? Optional.empty() : nearest(name, known, 1);
  }

  /** The known name within {@code most} edits of {@code name}, ignoring case. */
  public static Optional<String> nearest(String name, Collection<String> known, int most) {
    String lower = name.toLowerCase(Locale.ROOT);
    return known.stream()
        // the edit distance is at least the difference in length, so skip the expensive comparison
        .filter(candidate -> Math.abs(candidate.length() - lower.length()) <= most)
        .filter(candidate -> distance(lower, candidate.toLowerCase(Locale.ROOT)) <= most)
        .min(Comparator.comparingInt(each -> distance(lower, each.toLowerCase(Locale.ROOT))));
  }

  /** The edit distance: how many letters to insert, remove or replace. */
  public static int distance(String from, String to) {
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

  /** Only plain words appear in the location of a problem, so it is safe in logs and terminals. */
  private static boolean isWord(String name) {
    return name.chars()
        .allMatch(
            c ->
                (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '_'
                    || c == '-');
  }
}
