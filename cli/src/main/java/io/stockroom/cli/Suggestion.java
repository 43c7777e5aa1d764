package io.stockroom.cli;

import io.stockroom.protocol.Spelling;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests the name that the user most likely meant. */
final class Suggestion {
  private static final int MAX_EDITS = 2;

  private Suggestion() {}

  /** The candidate within an edit distance of two, or with the prefix {@code typed}. */
  static Optional<String> to(String typed, Collection<String> candidates) {
    return candidates.stream()
        .filter(candidate -> isNear(typed, candidate))
        .min(
            Comparator.comparingInt((String candidate) -> Spelling.distance(typed, candidate))
                // swapped letters have the same edit distance as two missing ones
                .thenComparingInt(candidate -> Math.abs(candidate.length() - typed.length())));
  }

  private static boolean isNear(String typed, String candidate) {
    if (letters(typed) < 2 || letters(candidate) < 2) {
      return false;
    }
    return typed.startsWith(candidate)
        || candidate.startsWith(typed)
        || Spelling.distance(typed, candidate) <= Math.min(MAX_EDITS, letters(candidate) / 2);
  }

  private static long letters(String name) {
    return name.chars().filter(Character::isLetter).count();
  }
}
