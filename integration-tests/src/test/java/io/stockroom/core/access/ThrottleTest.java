package io.stockroom.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThrottleTest {
  /** A clock that stands still until it is set. */
  private static final class SetClock extends Clock {
    private Instant now = Instant.parse("2026-03-01T12:00:20Z");

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

  private final SetClock clock = new SetClock();
  private final Throttle throttle = new Throttle(clock, 2);

  @Test
  void throttlesAfterTheLimitUntilTheMinuteEnds() {
    assertThat(throttle.failed("app", "a")).isZero();
    assertThat(throttle.failed("app", "b")).isZero();
    assertThat(throttle.failed("app", "c")).isEqualTo(40);
  }

  @Test
  void countsAnAddressOverAllApplications() {
    assertThat(throttle.failed("app1", "a")).isZero();
    assertThat(throttle.failed("app2", "a")).isZero();
    assertThat(throttle.failed("app3", "a")).isEqualTo(40);
    assertThat(throttle.failed("app4", "b")).isZero();
  }

  @Test
  void resetsWithTheNextMinute() {
    for (int i = 0; i < 3; i++) {
      throttle.failed("app", "a");
    }
    clock.now = Instant.parse("2026-03-01T12:00:59.999Z");
    assertThat(throttle.failed("app", "a")).isEqualTo(1);

    clock.now = Instant.parse("2026-03-01T12:01:00Z");
    assertThat(throttle.failed("app", "a")).isZero();
  }

  @Test
  void respondsToTooManyFailuresWith429ButAcceptsValidCredentials() {
    TestMerchant merchant = TestMerchant.fresh();
    Api api = merchant.api().on(Nodes.strict());
    Api wrong = api.withSecret("another");
    List<Reply> replies = new ArrayList<>();
    for (int i = 0; i < 14; i++) {
      replies.add(from("192.0.2.1", wrong));
    }

    assertThat(replies).extracting(Reply::status).containsOnly(400, 429);
    Reply throttled =
        replies.stream().filter(reply -> reply.status() == 429).findFirst().orElseThrow();
    assertThat(throttled.codes()).containsExactly("AUTHENTICATION_THROTTLED");
    assertThat(Integer.parseInt(throttled.header("retry-after").orElseThrow())).isBetween(1, 60);
    assertThat(from("192.0.2.1", api).status()).isEqualTo(200);
  }

  @Test
  void respondsAlikeToEveryFailureWhenThrottled() {
    TestMerchant merchant = TestMerchant.fresh();
    Api api = merchant.api().on(Nodes.strict());
    List<Api> wrong =
        List.of(
            api.withSecret("another"), api.withToken("srt_another"), api.withAppid("app_another"));
    for (int i = 0; i < 12; i++) {
      from("192.0.2.2", wrong.get(i % 3));
    }

    List<String> answers =
        wrong.stream()
            .map(each -> from("192.0.2.2", each))
            .map(reply -> reply.whole().replaceAll("in [0-9]+ s", "in a while"))
            .distinct()
            .toList();

    assertThat(answers).hasSize(1);
  }

  @Test
  void doesNotCountFailuresThatAreNoGuess() {
    TestMerchant merchant = TestMerchant.fresh();
    Api scoped = merchant.token("\"scopes\":[\"stock:read\"]");
    for (int i = 0; i < 12; i++) {
      assertThat(from("192.0.2.3", scoped.on(Nodes.strict())).codes())
          .containsExactly("SCOPE_MISSING");
    }
  }

  /** Each test calls from a different address. */
  private static Reply from(String address, Api api) {
    return api.call("/Stock/Product").form("page=1").header("X-Forwarded-For", address).send();
  }
}
