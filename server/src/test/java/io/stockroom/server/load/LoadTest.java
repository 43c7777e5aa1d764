package io.stockroom.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadTest {
  @ParameterizedTest
  @CsvSource({
    "16, 2, 8, 4",
    "16, 1, 4, 3",
    "16, 64, 8, 4",
    "100, 8, 32, 24",
    "6, 1, 3, 1",
    "2, 1, 1, 1",
  })
  void sharesPlacesOutByConnectionsAndProcessors(
      int connections, int processors, int creates, int details) {
    Load load = new Load(connections, processors, Duration.ofSeconds(1), new SimpleMeterRegistry());

    assertThat(load.of(Kind.CREATE).most()).isEqualTo(creates);
    assertThat(load.of(Kind.DETAIL).most()).isEqualTo(details);
    assertThat(load.of(Kind.READ).most()).isEqualTo(128);
  }
}
