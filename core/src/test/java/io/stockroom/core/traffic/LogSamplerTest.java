package io.stockroom.core.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.settings.Settings;
import io.stockroom.core.traffic.Traffic.Exchange;
import io.stockroom.core.traffic.Traffic.LogSampler;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogSamplerTest {
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final Clock clock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return now;
        }
      };
  private final LogSampler keeping = new LogSampler(clock, Settings.with(Map.of()));

  @Test
  void keepsSoManySuccessesASecondOfAnApplicationAndAddress() {
    assertThat(kept(call(1, 1, "/Stock/List", ""), 7)).isEqualTo(5);
    assertThat(kept(call(1, 1, "/Stock/Product", ""), 7)).isEqualTo(5);
    assertThat(kept(call(1, 2, "/Stock/List", ""), 7)).isEqualTo(5);
    now = now.plusSeconds(1);
    assertThat(kept(call(1, 1, "/Stock/List", ""), 7)).isEqualTo(5);
  }

  @Test
  void keepsFiftySuccessesASecondOfAllTogether() {
    for (int merchant = 1; merchant <= 10; merchant++) {
      assertThat(kept(call(merchant, 1, "/Stock/List", ""), 7)).isEqualTo(5);
    }
    assertThat(kept(call(11, 1, "/Stock/List", ""), 7)).isZero();
    assertThat(kept(call(11, 1, "/Stock/List", "SIGN_FORMAT"), 7)).isEqualTo(7);
    now = now.plusSeconds(1);
    assertThat(kept(call(11, 1, "/Stock/List", ""), 7)).isEqualTo(5);
  }

  @Test
  void prefersRejectionsAndCountsThemForTheMerchant() {
    assertThat(kept(call(1, 1, "/Stock/List", ""), 100)).isEqualTo(5);
    assertThat(kept(call(1, 1, "/Stock/List", "SIGN_FORMAT"), 40)).isEqualTo(40);
    assertThat(kept(call(1, 2, "/Stock/Product", "PAGE"), 40)).isEqualTo(10);
    assertThat(kept(call(2, 2, "/Stock/Product", "PAGE"), 40)).isEqualTo(40);
  }

  @Test
  void keepsNothingWhereTheLogIsOff() {
    LogSampler off = new LogSampler(clock, Settings.with(Map.of("request-log.rows", "0")));

    assertThat(off.isOn()).isFalse();
    assertThat(off.keeps(call(1, 1, "/Stock/List", "SIGN_FORMAT"))).isFalse();
  }

  private long kept(Exchange exchange, int times) {
    return IntStream.range(0, times).filter(_ -> keeping.keeps(exchange)).count();
  }

  private static Exchange call(int merchantId, int applicationId, String endpoint, String code) {
    int status = code.isEmpty() ? 200 : 400;
    return new Exchange("id", merchantId, applicationId, endpoint, status, code, 1000);
  }
}
