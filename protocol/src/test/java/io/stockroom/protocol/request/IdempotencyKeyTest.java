package io.stockroom.protocol.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stockroom.protocol.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {
  @Test
  void isEmptyWithoutTheHeader() throws Exception {
    assertThat(IdempotencyKey.read(_name -> List.of())).isEmpty();
  }

  @Test
  void accepts1To64VisibleCharacters() throws Exception {
    for (String key : List.of("!", "~", "a".repeat(64), "0b9f7a0e-0f0b-4a2e-9c1e-5f4f7b1c2d3e")) {
      assertThat(IdempotencyKey.read(_name -> List.of(key))).isEqualTo(key);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a\tb", "é", "\u007f", "一"})
  void rejectsAnyOtherCharacter(String key) {
    assertThat(problem(List.of(key)).code().name()).isEqualTo("IDEMPOTENCY_KEY_FORMAT");
  }

  @Test
  void rejects65CharactersAndNamesTheHeader() {
    Problem problem = problem(List.of("a".repeat(65)));

    assertThat(problem.at()).isEqualTo("headers.Idempotency-Key");
    assertThat(problem.code().name()).isEqualTo("IDEMPOTENCY_KEY_FORMAT");
  }

  @Test
  void rejectsARepeatedHeader() {
    assertThat(problem(List.of("a", "a")).code().name()).isEqualTo("HEADER_REPEATED");
  }

  private static Problem problem(List<String> values) {
    return catchThrowableOfType(InvalidRequest.class, () -> IdempotencyKey.read(_name -> values))
        .problems()
        .get(0);
  }
}
