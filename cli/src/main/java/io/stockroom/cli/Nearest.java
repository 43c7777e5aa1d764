package io.stockroom.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that somebody most likely meant. */
final class Nearest {
  private static final int MOST_SLIPS = 2;

  private Nearest() {}

  /** The candidate that is one or two slips away, or that begins like {@code typed}. */
  static Optional<String> to(String typed, Collection<String> candidates) {
    return candidates.stream()
        .filter(candidate -> isNear(typed, candidate))
        .min(Comparator.comparingInt(candidate -> slips(typed, candidate)));
  }

  private static boolean isNear(String typed, String candidate) {
    if (letters(typed) < 2 || letters(candidate) < 2) {
      return false;
    }
    return typed.startsWith(candidate)
        || candidate.startsWith(typed)
        || slips(typed, candidate) <= Math.min(MOST_SLIPS, letters(candidate) / 2);
  }

  private static long letters(String name) {
    return name.chars().filter(Character::isLetter).count();
  }

  /** Letters to add, drop, change, or swap with a neighbour. */
  private static int slips(String from, String to) {
    int[][] cost = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        boolean isSame = from.charAt(i - 1) == to.charAt(j - 1);
        int change = cost[i - 1][j - 1] + (isSame ? 0 : 1);
        cost[i][j] = Math.min(change, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          cost[i][j] = Math.min(cost[i][j], 1 + cost[i - 2][j - 2]);
        }
      }
    }
    return cost[from.length()][to.length()];
  }
}
