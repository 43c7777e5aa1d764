package io.stockroom.core.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LatencyTest {
  @Test
  void givesPercentilesWithinTheWidthOfABucket() {
    Latency latency = new Latency();
    for (int micros = 1; micros <= 100_000; micros++) {
      latency.add(Latency.bucket(micros), 1);
    }

    assertThat(latency.millis(0.5)).isCloseTo(50, within(2.5));
    assertThat(latency.millis(0.99)).isCloseTo(99, within(15.0));
    assertThat(latency.millis(1)).isGreaterThanOrEqualTo(100);
  }

  @Test
  void putsABoundIntoTheBucketThatItEnds() {
    assertThat(Latency.bucket(50)).isZero();
    assertThat(Latency.bucket(51)).isEqualTo(1);
    assertThat(Latency.bucket(Long.MAX_VALUE)).isEqualTo(Latency.BUCKETS - 1);
  }

  @Test
  void givesNothingWithoutCalls() {
    assertThat(new Latency().millis(0.99)).isZero();
  }
}
