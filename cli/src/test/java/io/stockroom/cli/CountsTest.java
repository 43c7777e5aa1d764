package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 0 rules hold",
        "1 | 1 rule holds",
        "2 | 2 rules hold",
        "1200 | 1,200 rules hold"
      })
  void usesTheSingularForOneOnly(long count, String text) {
    assertThat(Counts.of(count, "rule holds", "rules hold")).isEqualTo(text);
  }

  @Test
  void progressFollowsTheTotalIfItIsKnown() {
    assertThat(ProgressText.amount(0, 1, "products")).isEqualTo("0 of 1 product");
    assertThat(ProgressText.amount(1, 2, "products")).isEqualTo("1 of 2 products");
    assertThat(ProgressText.amount(1, 0, "products")).isEqualTo("1 product");
    assertThat(ProgressText.amount(1_500_000, 3_000_000, "bytes")).isEqualTo("1.5 of 3.0 MB");
  }
}
