package io.stockroom.core.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Language;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadableDurationTest {
  @ParameterizedTest
  @CsvSource({
    "PT2S, 2 seconds, 2 秒",
    "PT1S, 1 second, 1 秒",
    "PT0S, 0 seconds, 0 秒",
    "PT0.5S, 0.5 seconds, 0.5 秒",
    "PT36H, 1 day 12 hours, 1 天 12 小时",
    "P90D, 90 days, 90 天",
    "P3M, 3 months, 3 个月",
    "300, 300, 300",
    "Asia/Shanghai, Asia/Shanghai, Asia/Shanghai",
    "Pacific/Auckland, Pacific/Auckland, Pacific/Auckland",
    "0.5, 0.5, 0.5"
  })
  void writesDurationsInWordsAndLeavesOtherValuesAlone(
      String value, String english, String chinese) {
    assertThat(ReadableDuration.of(value, Language.ENGLISH)).isEqualTo(english);
    assertThat(ReadableDuration.of(value, Language.CHINESE)).isEqualTo(chinese);
  }
}
