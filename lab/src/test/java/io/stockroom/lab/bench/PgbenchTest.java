package io.stockroom.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class PgbenchTest {
  @Test
  void readsTheRate() {
    assertThat(Pgbench.read("number of failed transactions: 0 (0.000%)\ntps = 4300.2 (x)\n"))
        .isEqualTo(4300.2);
  }

  @Test
  void rejectsARunWithFailedTransactions() {
    assertThatThrownBy(
            () -> Pgbench.read("number of failed transactions: 1 (0.1%)\ntps = 4300.2 (x)\n"))
        .isInstanceOf(BenchException.class);
  }

  @Test
  void leavesOutTheFirstSecondOfALog() {
    Latencies latencies =
        Pgbench.times(
            List.of(
                "0 1 90000 0 1700000000 500000 0",
                "1 1 80000 0 1700000001 499999 0",
                "0 2 2000 0 1700000001 500000 0",
                "1 2 4000 0 1700000002 0 0"));

    assertThat(latencies.count()).isEqualTo(2);
    assertThat(latencies.millis(50)).isEqualTo(2);
    assertThat(latencies.millis(99)).isEqualTo(4);
  }
}
