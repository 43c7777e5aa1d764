package io.stockroom.lab.placement;

/**
 * What a day was like.
 *
 * @param balance the load of the hottest cell without a giant, relative to the average of these, as
 *     measured over the last days
 * @param dayBalance the same for this day alone
 * @param giants cells with a giant
 * @param largest the load of the hottest cell of all on this day, relative to the average of all
 * @param moves merchants moved in the night after
 * @param moved their share of the whole load
 */
record PlacementDay(
    double balance, double dayBalance, int giants, double largest, int moves, double moved) {

  /** The hottest cell relative to the average, with or without the cells to leave out. */
  static double balance(double[] load, boolean[] leftOut) {
    double sum = 0;
    double hottest = 0;
    int count = 0;
    for (int cell = 0; cell < load.length; cell++) {
      if (!leftOut[cell]) {
        sum += load[cell];
        hottest = Math.max(hottest, load[cell]);
        count++;
      }
    }
    return count == 0 ? 1 : hottest / (sum / count);
  }
}
