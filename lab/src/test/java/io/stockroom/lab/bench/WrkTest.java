package io.stockroom.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WrkTest {
  @Test
  void readsTheLineOfTheScript() {
    Wrk.Load load = Wrk.read("Running …\nbench 1000 2000000 1500.0 2500.0 9000.0 30 0 \n");

    assertThat(load.rate()).isEqualTo(500);
    assertThat(load.good()).isEqualTo(485);
    assertThat(load.p50()).isEqualTo(1.5);
    assertThat(load.p99()).isEqualTo(9);
  }

  @Test
  void namesAFailure() {
    Wrk.Load load = Wrk.read("bench 10 1000000 1.0 1.0 1.0 0 1 400 no such product\n");

    assertThatThrownBy(() -> Wrk.succeeded(load))
        .hasMessageContaining("1 of 10")
        .hasMessageContaining("400 no such product");
    assertThatThrownBy(() -> Wrk.succeeded(Wrk.read("bench 0 1000000 0.0 0.0 0.0 0 0 \n")))
        .hasMessageContaining("0 of 0");
  }

  @Test
  void rejectsAnythingElse() {
    assertThatThrownBy(() -> Wrk.read("unable to connect")).hasMessageContaining("unable");
  }
}
