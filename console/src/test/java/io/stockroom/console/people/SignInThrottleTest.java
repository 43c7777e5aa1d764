package io.stockroom.console.people;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class SignInThrottleTest {
  private static final String LI = "li@example.com";

  private Instant now = Instant.parse("2026-01-01T10:00:00Z");
  private final SignInThrottle throttle = new SignInThrottle(new MovingClock(), 3);

  @Test
  void throttlesAPersonAtAnAddressUntilTheWindowEnds() {
    for (int i = 0; i < 3; i++) {
      assertThat(throttle.charge(LI, "10.0.0.1", null)).isZero();
    }

    assertThat(throttle.charge(LI, "10.0.0.1", null)).isEqualTo(15 * 60);
    assertThat(throttle.charge(LI, "10.0.0.2", null)).isZero();
    now = now.plusSeconds(15 * 60 - 1);
    assertThat(throttle.charge(LI, "10.0.0.1", null)).isEqualTo(1);
    now = now.plusSeconds(1);
    assertThat(throttle.charge(LI, "10.0.0.1", null)).isZero();
  }

  @Test
  void onePersonsFailuresDoNotThrottleOthersBehindTheSameProxy() {
    for (int i = 0; i < 100; i++) {
      throttle.charge(LI, "10.0.0.1", null);
    }

    assertThat(throttle.charge("another", "10.0.0.1", null)).isZero();
  }

  @Test
  void throttlesAnAddressThatTriesManyPeople() {
    for (int i = 0; i < 30; i++) {
      assertThat(throttle.charge("person" + i, "10.0.0.1", null)).isZero();
    }

    assertThat(throttle.charge("another", "10.0.0.1", null)).isPositive();
    assertThat(throttle.charge("another", "10.0.0.2", null)).isZero();
  }

  @Test
  void allUnknownBrowsersOfAPersonShareTheirWrongCodes() {
    for (int i = 0; i < 3; i++) {
      assertThat(throttle.chargeCode(7, null)).isZero();
    }

    assertThat(throttle.chargeCode(7, null)).isPositive();
    assertThat(throttle.chargeCode(8, null)).isZero();
    assertThat(throttle.chargeCode(7, "mark")).isZero();
  }

  @Test
  void aCorrectCodeIsNotCounted() {
    for (int i = 0; i < 100; i++) {
      assertThat(throttle.chargeCode(7, null)).isZero();
      throttle.refundCode(7, null);
    }
  }

  @Test
  void countsTheAddressesOfAnIpv6NetworkTogether() {
    for (int i = 0; i < 3; i++) {
      assertThat(throttle.charge(LI, "2001:db8::" + i, null)).isZero();
    }

    assertThat(throttle.charge(LI, "2001:db8::ffff", null)).isPositive();
    assertThat(throttle.charge(LI, "2001:db8:0:1::1", null)).isZero();
  }

  @Test
  void throttlesUnknownBrowsersAfterGuessesFromManyAddresses() {
    for (int i = 0; i < 30; i++) {
      assertThat(throttle.charge(LI, "10.0.1." + i, null)).isZero();
    }

    assertThat(throttle.charge(LI, "10.0.2.1", null)).isPositive();
    assertThat(throttle.charge("another", "10.0.2.2", null)).isZero();
  }

  @Test
  void oneAddressCannotLockAPersonOut() {
    for (int i = 0; i < 1000; i++) {
      throttle.charge(LI, "10.0.0.1", null);
    }

    assertThat(throttle.charge(LI, "10.0.0.2", null)).isZero();
  }

  @Test
  void strangersCannotThrottleAKnownBrowser() {
    for (int i = 0; i < 200; i++) {
      throttle.charge(LI, "10.0.1." + i, null);
    }

    assertThat(throttle.charge(LI, "10.0.1.1", "mark")).isZero();
    assertThat(throttle.charge(LI, "10.0.1.1", "mark")).isZero();
    assertThat(throttle.charge(LI, "10.0.1.1", "mark")).isZero();
    assertThat(throttle.charge(LI, "10.0.1.1", "mark")).isPositive();
  }

  @Test
  void aSuccessIsNotCounted() {
    for (int i = 0; i < 100; i++) {
      assertThat(throttle.charge(LI, "10.0.0.1", null)).isZero();
      throttle.refund(LI, "10.0.0.1", null);
    }
  }

  @Test
  void madeUpAddressesOfOneClientEvictNoCounts() {
    for (int i = 0; i < 4; i++) {
      throttle.charge(LI, "10.0.0.1", null);
    }

    for (int i = 0; i <= SignInThrottle.MAX_ENTRIES; i++) {
      throttle.charge("made-up" + i, "10.0.0.2", null);
    }

    assertThat(throttle.charge(LI, "10.0.0.1", null)).isPositive();
    assertThat(throttle.charge("another", "10.0.0.2", null)).isPositive();
  }

  @Test
  void aFloodFromManyAddressesEvictsOnlyTheOldestCountsAndNoCodes() {
    for (int i = 0; i < 3; i++) {
      throttle.chargeCode(7, null);
      throttle.charge("oldest", "10.0.0.1", null);
      throttle.charge(LI, "10.0.0.1", null);
    }

    for (int i = 0; i < SignInThrottle.MAX_ENTRIES - 1; i++) {
      throttle.charge("made-up" + i, "11.%d.%d.1".formatted(i / 250, i % 250), null);
    }

    assertThat(throttle.charge(LI, "10.0.0.1", null)).isPositive();
    assertThat(throttle.charge("oldest", "10.0.0.1", null)).isZero();
    assertThat(throttle.chargeCode(7, null)).isPositive();
  }

  private final class MovingClock extends Clock {
    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
