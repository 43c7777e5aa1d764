package io.stockroom.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ArithmeticTest {
  private final SplittableRandom random = new SplittableRandom(1);

  @Test
  void multiplicationBindsBeforeAdditionAndOperatorsAreLeftAssociative() {
    assertThat(evaluate("2 + 3 * 4")).isEqualTo(14);
    assertThat(evaluate("(2 + 3) * 4")).isEqualTo(20);
    assertThat(evaluate("20 - 5 - 3")).isEqualTo(12);
    assertThat(evaluate("100 / 7 % 5")).isEqualTo(4);
    assertThat(evaluate(":base + :step*2")).isEqualTo(1006);
  }

  @Test
  void drawsWithinTheInclusiveRange() {
    assertThat(IntStream.range(0, 200).mapToLong(_ -> evaluate("random(3, 5)")).distinct().sorted())
        .containsExactly(3L, 4L, 5L);
  }

  @Test
  void namesWhatItCannotParse() {
    assertThatThrownBy(() -> evaluate(":nobody + 1")).hasMessageContaining(":nobody");
    assertThatThrownBy(() -> evaluate("1 + + 2")).hasMessageContaining("character 5");
    assertThatThrownBy(() -> evaluate("(1 + 2")).hasMessageContaining("character 7");
    assertThatThrownBy(() -> evaluate("abs(1)")).isInstanceOf(BenchException.class);
    assertThatThrownBy(() -> evaluate("1 2")).isInstanceOf(BenchException.class);
  }

  private long evaluate(String text) {
    return Arithmetic.evaluate(text, Map.of("base", 1000L, "step", 3L), random);
  }
}
