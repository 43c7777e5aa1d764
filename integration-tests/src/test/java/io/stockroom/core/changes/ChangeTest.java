package io.stockroom.core.changes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ChangeTest {
  @ParameterizedTest
  @CsvSource({
    "2026-07-01T12:00:00Z,           2026-07-01T12:00:00.000Z",
    "2026-12-31T23:59:59.999999999Z, 2026-12-31T23:59:59.999Z",
    "2028-02-29T01:02:03.004Z,       2028-02-29T01:02:03.004Z",
    "1969-12-31T23:59:59.5Z,         1969-12-31T23:59:59.500Z",
  })
  void writesTimesWithMilliseconds(Instant at, String text) {
    assertThat(Change.millis(at)).isEqualTo(text);
  }
}
