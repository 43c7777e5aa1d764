package io.stockroom.core.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          create-interval   | 2 seconds          | PT2S
          create-interval   | 0.5 s              | PT0.5S
          create-interval   | 1 hour 30 minutes  | PT1H30M
          create-interval   | 1 day              | PT24H
          create-interval   | no limit           | PT0S
          create-interval   | PT3S               | PT3S
          create-interval   | 2秒                | PT2S
          adjust-per-second | 10 per second      | 10
          adjust-per-second | 10 Requests a second | 10
          adjust-per-second | 10/s               | 10
          adjust-per-second | 每秒 20 次         | 20
          adjust-per-second | 不限               | 0
          adjust-per-second | 1000               | 1000
          detail-per-day    | 1,500 per day      | 1500
          detail-per-day    | 每天 300 次        | 300
          publish-window    | 90 days            | P90D
          publish-window    | ９０ 天            | P90D
          publish-window    | 2 weeks            | P14D
          publish-grace     | 1 month, 2 days and 3 hours | P1M2DT3H
          publish-share     | 2 of 3             | 2/3
          publish-share     | 70%                | 70/100
          store-products    | 5,000 products     | 5000
          store-products    | 5000 个商品        | 5000
          create-elements   | 300 color groups   | 300
          store-window      | 3 个月             | P3M
          zone              | Asia/Shanghai      | Asia/Shanghai
          """)
  void readsWhatPeopleWrite(String limit, String typed, String stored) {
    String name = "limits." + limit;

    assertThat(Limits.problem(name, typed)).isNull();
    assertThat(Limits.stored(name, typed)).isEqualTo(stored);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          create-interval   | 2
          create-interval   | 25 hours
          create-interval   | 1 month
          create-interval   | 2 second ago
          create-interval   | 2 seconds 3 seconds
          create-interval   | -2 seconds
          create-interval   | ""
          adjust-per-second | 10 per minute
          adjust-per-second | 1001 per second
          adjust-per-second | 1.5
          adjust-per-second | 1,00
          detail-per-day    | no limit
          detail-per-day    | 99999999999
          publish-window    | 90
          publish-window    | 1.5 days
          publish-window    | 101 years
          publish-share     | 101%
          zone              | Mars
          """)
  void rejectsEverythingElseAndSaysWhatItExpects(String limit, String typed) {
    Problem problem = Objects.requireNonNull(Limits.problem("limits." + limit, typed));

    assertThat(problem.message(Language.ENGLISH)).contains("such as");
    assertThat(problem.message(Language.CHINESE)).contains("例如");
  }

  @Test
  void readsItsOwnTextInBothLanguages() {
    for (Setting<?> setting : Limits.SETTINGS) {
      for (Language language : Language.values()) {
        String shown = LimitText.of(setting.name(), setting.standard(), language);
        assertThat(Limits.stored(setting.name(), shown))
            .as("%s: %s", setting.name(), shown)
            .isEqualTo(String.valueOf(setting.parse().apply(setting.standard())));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "create-interval, PT2S, 2 seconds, 2 秒",
    "create-interval, PT0S, no limit, 不限",
    "adjust-per-second, 10, 10 per second, 每秒 10 次",
    "adjust-per-second, 0, no limit, 不限",
    "store-products, 1, 1 product, 1 个商品",
    "store-products, 0, 0 products, 0 个商品",
    "publish-window, P90D, 90 days, 90 天"
  })
  void writesUnits(String limit, String value, String english, String chinese) {
    assertThat(LimitText.of("limits." + limit, value, Language.ENGLISH)).isEqualTo(english);
    assertThat(LimitText.of("limits." + limit, value, Language.CHINESE)).isEqualTo(chinese);
  }
}
