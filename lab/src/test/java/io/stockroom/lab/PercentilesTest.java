package io.stockroom.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PercentilesTest {
  @Test
  void takesTheSmallestValueThatTheShareDidNotExceed() {
    Percentiles four = Percentiles.of(List.of(4, 1, 3, 2));

    assertThat(four.at(0)).isEqualTo(1);
    assertThat(four.at(0.5)).isEqualTo(2);
    assertThat(four.at(0.51)).isEqualTo(3);
    assertThat(four.at(1)).isEqualTo(4);
    assertThat(Percentiles.of(List.of()).at(0.5)).isEqualTo(0);
  }
}
