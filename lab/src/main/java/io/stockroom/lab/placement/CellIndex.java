package io.stockroom.lab.placement;

import java.util.Arrays;

/** The merchants of each cell at one moment. */
final class CellIndex {
  private final int[] start;
  private final int[] merchants;

  CellIndex(int[] cellOf, int present, int cells) {
    start = new int[cells + 1];
    for (int merchant = 0; merchant < present; merchant++) {
      start[cellOf[merchant] + 1]++;
    }
    Arrays.parallelPrefix(start, Integer::sum);
    merchants = new int[present];
    int[] next = start.clone();
    for (int merchant = 0; merchant < present; merchant++) {
      merchants[next[cellOf[merchant]]++] = merchant;
    }
  }

  int[] merchantsOf(int cell) {
    return Arrays.copyOfRange(merchants, start[cell], start[cell + 1]);
  }
}
