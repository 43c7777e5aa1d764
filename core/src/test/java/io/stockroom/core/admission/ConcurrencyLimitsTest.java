package io.stockroom.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConcurrencyLimitsTest {
  @ParameterizedTest
  @CsvSource({
    "16, 2, 8, 4",
    "16, 1, 4, 3",
    "16, 64, 8, 4",
    "100, 8, 32, 24",
    "6, 1, 3, 1",
    "2, 1, 1, 1",
  })
  void choosesLimitsByConnectionsAndProcessors(
      int connections, int processors, int creates, int others) {
    ConcurrencyLimits limits =
        new ConcurrencyLimits(
            connections, processors, Duration.ofSeconds(1), new SimpleMeterRegistry());

    assertThat(limits.of(CallKind.CREATE).max()).isEqualTo(creates);
    assertThat(limits.of(CallKind.OTHER).max()).isEqualTo(others);
    assertThat(limits.of(CallKind.DETAIL).max()).isEqualTo(creates);
    assertThat(limits.of(CallKind.READ).max()).isEqualTo(128);
  }
}
