package io.stockroom.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanguageTest {
  @ParameterizedTest
  @CsvSource({
    "zh, CHINESE",
    "zh-CN, CHINESE",
    "ZH-hans-CN, CHINESE",
    "en, ENGLISH",
    "en-GB, ENGLISH",
    "'en;q=0.3, zh;q=0.4', CHINESE",
    "'fr, en;q=0.1', ENGLISH",
    "'zh, en', CHINESE"
  })
  void isTheFirstSupportedLanguageOfTheCaller(String header, Language chosen) {
    assertThat(Language.choose(header, Language.ENGLISH)).isEqualTo(chosen);
    assertThat(Language.choose(header, Language.CHINESE)).isEqualTo(chosen);
  }

  @ParameterizedTest
  @CsvSource({"fr", "*", "''", "';;;'", "'en;q=x'", "'zh;q=0'", "'zhx'"})
  void fallsBackWhenNoLanguageIsSupported(String header) {
    assertThat(Language.choose(header, Language.ENGLISH)).isEqualTo(Language.ENGLISH);
    assertThat(Language.choose(header, Language.CHINESE)).isEqualTo(Language.CHINESE);
  }
}
