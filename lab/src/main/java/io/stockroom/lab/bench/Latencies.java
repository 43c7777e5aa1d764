package io.stockroom.lab.bench;

import java.util.Arrays;
import java.util.Collection;

/** The latencies of single requests, sorted. */
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

  /** The latency at this percentile; 0 if there were no requests. */
  double millis(double percentile) {
    if (nanos.length == 0) {
      return 0;
    }
    int rank = (int) Math.ceil(percentile / 100 * nanos.length);
    return nanos[Math.max(0, rank - 1)] / 1e6;
  }
}
