package io.stockroom.lab.placement;

import java.util.SplittableRandom;

/**
 * The load of each merchant, in units of the average merchant. The size of a merchant follows
 * Zipf's law; its load drifts slowly around that size and varies from day to day.
 */
final class MerchantLoads {
  /** After a month, half of a drift is gone; its standard deviation is 40%. */
  private static final double DRIFT_KEPT = 0.98;

  private static final double DRIFT_STEP = 0.08;
  private static final double DAILY_VARIATION = 0.3;

  /** The share of today in the measured load: about a week counts. */
  private static final double TODAY = 0.3;

  private final SplittableRandom random;
  private final double[] size;
  private final double[] drift;
  private final double[] today;
  private final double[] measured;

  /**
   * Draws the merchants in the order in which they arrive, large and small mixed.
   *
   * @param exponent of Zipf's law: the merchant of rank r has a size of r^-exponent
   */
  MerchantLoads(int merchants, double exponent, long seed) {
    random = new SplittableRandom(seed);
    size = new double[merchants];
    drift = new double[merchants];
    today = new double[merchants];
    measured = new double[merchants];
    double sum = 0;
    for (int rank = 1; rank <= merchants; rank++) {
      size[rank - 1] = Math.pow(rank, -exponent);
      sum += size[rank - 1];
    }
    double scale = merchants / sum;
    for (int i = merchants - 1; i >= 0; i--) {
      int other = random.nextInt(i + 1);
      double swapped = size[i];
      size[i] = size[other] * scale;
      size[other] = swapped;
    }
  }

  /** Lets the first {@code present} merchants live through a day. */
  void nextDay(int present) {
    for (int i = 0; i < present; i++) {
      drift[i] = drift[i] * DRIFT_KEPT + random.nextGaussian() * DRIFT_STEP;
      today[i] = size[i] * Math.exp(drift[i] + random.nextGaussian() * DAILY_VARIATION);
      measured[i] = measured[i] == 0 ? today[i] : measured[i] + TODAY * (today[i] - measured[i]);
    }
  }

  double today(int merchant) {
    return today[merchant];
  }

  /** What an operator knows: the average of the last days. */
  double measured(int merchant) {
    return measured[merchant];
  }
}
