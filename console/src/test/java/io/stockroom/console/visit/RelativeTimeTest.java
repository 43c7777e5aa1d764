package io.stockroom.console.visit;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Language;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RelativeTimeTest {
  @ParameterizedTest
  @CsvSource({
    "PT-3S, just now, 刚刚",
    "PT59.9S, just now, 刚刚",
    "PT60S, 1 minute ago, 1 分钟前",
    "PT59M59S, 59 minutes ago, 59 分钟前",
    "PT1H, 1 hour ago, 1 小时前",
    "PT23H59M, 23 hours ago, 23 小时前",
    "P1D, 1 day ago, 1 天前",
    "PT167H59M59S, 6 days ago, 6 天前",
    "P7D, ,"
  })
  void saysHowLongAgoUpToAWeek(Duration age, String english, String chinese) {
    assertThat(RelativeTime.of(age, Language.ENGLISH)).isEqualTo(english);
    assertThat(RelativeTime.of(age, Language.CHINESE)).isEqualTo(chinese);
  }
}
