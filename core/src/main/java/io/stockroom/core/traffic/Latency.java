package io.stockroom.core.traffic;

import java.util.Arrays;

/**
 * A histogram of latencies. Each bucket is half as wide again as the one before, from 50
 * microseconds to more than 30 seconds, so percentiles have the same relative error everywhere.
 */
public final class Latency {
  /** The upper bounds in microseconds; the last bucket has none. */
  private static final long[] BOUNDS = bounds();

  static final int BUCKETS = BOUNDS.length + 1;

  private final long[] buckets = new long[BUCKETS];
  private long total;

  private static long[] bounds() {
    long[] bounds = new long[34];
    double bound = 50;
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = Math.round(bound);
      bound *= 1.5;
    }
    return bounds;
  }

  static int bucket(long micros) {
    int found = Arrays.binarySearch(BOUNDS, micros);
    return found >= 0 ? found : -found - 1;
  }

  void add(int bucket, long calls) {
    buckets[bucket] += calls;
    total += calls;
  }

  /** The percentile {@code share} (0 to 1) in milliseconds; 0 without calls. */
  public double millis(double share) {
    double wanted = share * total;
    double before = 0;
    for (int i = 0; i < BUCKETS; i++) {
      if (buckets[i] > 0 && before + buckets[i] >= wanted) {
        double low = i == 0 ? 0 : BOUNDS[i - 1];
        double high = i == BOUNDS.length ? low * 1.5 : BOUNDS[i];
        return (low + (high - low) * (wanted - before) / buckets[i]) / 1000;
      }
      before += buckets[i];
    }
    return 0;
  }
}
