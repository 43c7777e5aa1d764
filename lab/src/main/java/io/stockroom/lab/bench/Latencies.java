package io.stockroom.lab.bench;

import java.util.Arrays;
import java.util.Collection;

/** Times of single requests, sorted. */
final class Latencies {
  private final long[] nanos;

  private Latencies(long[] nanos) {
    this.nanos = nanos;
  }

  static Latencies of(Collection<long[]> parts) {
    long[] all = parts.stream().flatMapToLong(Arrays::stream).toArray();
    Arrays.sort(all);
    return new Latencies(all);
  }

  int count() {
    return nanos.length;
  }

  /** The time within which that share of the requests was answered; 0 where there were none. */
  double millis(double percentile) {
    if (nanos.length == 0) {
      return 0;
    }
    int rank = (int) Math.ceil(percentile / 100 * nanos.length);
    return nanos[Math.max(0, rank - 1)] / 1e6;
  }
}
