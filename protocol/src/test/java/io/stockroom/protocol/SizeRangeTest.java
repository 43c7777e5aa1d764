package io.stockroom.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeRangeTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, 1",
    "999, 999, 999, 1",
    "36-40, 36, 40, 5",
    "36-36, 36, 36, 1",
    "1-100, 1, 100, 100",
    "900-999, 900, 999, 100"
  })
  void readsASizeOrARangeWithBothEnds(String text, int first, int last, int count) {
    SizeRange range = SizeRange.parse(text);

    assertThat(range).isEqualTo(range(first, last));
    assertThat(range.count()).isEqualTo(count);
  }

  @ParameterizedTest
  @CsvSource({
    "0, SIZE_BOUNDS",
    "1000, SIZE_BOUNDS",
    "0-1, SIZE_BOUNDS",
    "999-1000, SIZE_BOUNDS",
    "1-2147483647, SIZE_BOUNDS",
    "1-101, SIZE_TOO_MANY",
    "40-36, SIZE_ORDER",
    "S-XL, SIZE_FORMAT",
    "36.5-38, SIZE_FORMAT",
    "'30 - 32', SIZE_FORMAT",
    "1-, SIZE_FORMAT",
    "-1, SIZE_FORMAT",
    "01, SIZE_FORMAT",
    "1-02, SIZE_FORMAT",
    "'', SIZE_FORMAT",
    "' 1', SIZE_FORMAT",
    "1.5, SIZE_FORMAT",
    "1-2-3, SIZE_FORMAT",
    "１, SIZE_FORMAT"
  })
  void rejectsEveryOtherText(String text, ErrorCode code) {
    assertThatThrownBy(() -> SizeRange.parse(text))
        .isInstanceOfSatisfying(
            InvalidValue.class, invalid -> assertThat(invalid.code()).isEqualTo(code));
  }

  @Test
  void rejectsSizesOutsideTheLimits() {
    assertThatThrownBy(() -> range(2, 1)).isInstanceOf(InvalidValue.class);
    assertThatThrownBy(() -> range(0, 1)).isInstanceOf(InvalidValue.class);
    assertThatThrownBy(() -> range(1, 101)).isInstanceOf(InvalidValue.class);
    assertThat(range(1, 100).count()).isEqualTo(100);
  }

  @ParameterizedTest
  @CsvSource({"36, 1", "XL, 1", "36.5, 1", "175-92A, 1", "1000, 1", "30-32, 3"})
  void takesOneTextWhereAnySizeIsAllowed(String text, int count) {
    SizeRange range = SizeRange.parseAny(text);

    assertThat(range.count()).isEqualTo(count);
    assertThat(range.text()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "40-36, SIZE_ORDER",
    "S-XL, SIZE_FORMAT",
    "36.5-38, SIZE_FORMAT",
    "1-101, SIZE_TOO_MANY",
    "'', TEXT_EMPTY",
    "'S,M', TEXT_CHARACTERS"
  })
  void neverTakesAWrongRangeForAText(String text, ErrorCode code) {
    assertThatThrownBy(() -> SizeRange.parseAny(text))
        .isInstanceOfSatisfying(
            InvalidValue.class, invalid -> assertThat(invalid.code()).isEqualTo(code));
  }

  private static SizeRange range(int first, int last) {
    return new SizeRange(Size.of(first), Size.of(last));
  }

  @Test
  void rejectsAHostileRangeWithoutExpandingIt() {
    String digits = "9".repeat(1_000_000);

    assertThatThrownBy(() -> SizeRange.parse(digits + "-" + digits))
        .isInstanceOf(InvalidValue.class)
        .hasMessageContaining("…");
  }
}
