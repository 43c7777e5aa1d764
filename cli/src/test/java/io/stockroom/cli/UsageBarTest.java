package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsageBarTest {
  @ParameterizedTest
  @CsvSource({"0,0", "1,1", "15,1", "29,1", "30,2", "299,19", "300,20", "301,20", "-1,0"})
  void showsAnyUsageAndLooksFullOnlyWhenExhausted(long used, int blocks) {
    assertThat(UsageBar.in(StandardCharsets.UTF_8).of(used, 300))
        .isEqualTo("█".repeat(blocks) + "░".repeat(20 - blocks));
  }

  @Test
  void looksFullWhenTheLimitIsZero() {
    assertThat(UsageBar.in(StandardCharsets.UTF_8).of(0, 0)).isEqualTo("█".repeat(20));
  }

  @Test
  void drawsInAsciiIfTheCharsetHasNoBlocks() {
    assertThat(UsageBar.in(StandardCharsets.US_ASCII).of(120, 300))
        .isEqualTo("########------------");
  }
}
