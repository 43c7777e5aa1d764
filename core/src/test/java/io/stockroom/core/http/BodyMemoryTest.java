package io.stockroom.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BodyMemoryTest {
  @Test
  void givesOutWhatThereIsAndNotAByteMore() {
    Body.Memory memory = new Body.Memory(100);

    assertThat(memory.take(60)).isTrue();
    assertThat(memory.take(41)).isFalse();
    assertThat(memory.left()).isEqualTo(40);
    assertThat(memory.take(40)).isTrue();
    assertThat(memory.take(1)).isFalse();

    memory.give(100);
    assertThat(memory.left()).isEqualTo(100);
  }
}
