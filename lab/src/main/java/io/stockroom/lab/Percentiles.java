package io.stockroom.lab;

import java.util.Collection;

/** Sorted measurements. */
public record Percentiles(double[] sorted) {
  public static Percentiles of(Collection<? extends Number> values) {
    return new Percentiles(values.stream().mapToDouble(Number::doubleValue).sorted().toArray());
  }

  /** The smallest value that this share (0 to 1) did not exceed; 0 without values. */
  public double at(double share) {
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted.length == 0 ? 0 : sorted[Math.max(0, rank - 1)];
  }

  public int count() {
    return sorted.length;
  }
}
