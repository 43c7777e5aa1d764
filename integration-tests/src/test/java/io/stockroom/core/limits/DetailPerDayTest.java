package io.stockroom.core.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DetailPerDayTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final int pid = merchant.product();
  private final Api api = merchant.api().on(Nodes.strict());

  @Test
  void acceptsTheLastFetchOfTheDayAndRejectsTheNext() {
    assertThat(api.detail(pid).success()).isTrue();
    assertThat(api.detail(pid).success()).isTrue();
    assertThat(api.detail(pid).success()).isTrue();

    Reply refused = api.detail(pid);

    assertThat(refused.status()).isEqualTo(200);
    assertThat(refused.body())
        .matches(
            """
            \\{"success":false,"msg":"The limit of 3 product details a day is used up: 3 were fetched \
            on [0-9-]{10} \\(UTC\\)\\. It resets at [0-9-]{10}T00:00:00Z\\.","data":""\\}""");
  }

  @Test
  void rejectsInChinese() {
    useUp();

    Reply refused = api.call("/Product/Detail").form("pid=" + pid).language("zh-CN").send();

    assertThat(refused.msg())
        .matches("每天 3 次商品详情的额度已用完：[0-9-]{10}（UTC）已获取 3 次。额度将于 [0-9-]{10}T00:00:00Z 重置。");
  }

  @Test
  void sendsRemainingQuotaAndRetryAfter() {
    Reply first = api.detail(pid);
    useUp();
    Reply refused = api.detail(pid);

    assertThat(first.header("ratelimit-policy").orElseThrow())
        .matches("\"detail-per-day\";q=3;w=86400, \"store-products\";q=5000;w=[0-9]+");
    assertThat(first.header("ratelimit").orElseThrow())
        .matches("\"detail-per-day\";r=2;t=[0-9]+, \"store-products\";r=4999");
    assertThat(first.header("retry-after")).isEmpty();
    String seconds = refused.header("retry-after").orElseThrow();
    assertThat(Integer.parseInt(seconds)).isBetween(1, 86_400);
    assertThat(refused.header("ratelimit").orElseThrow())
        .startsWith("\"detail-per-day\";r=0;t=" + seconds + ",");
  }

  @Test
  void isNotChargedForMissingProducts() {
    int another = TestMerchant.fresh().product();

    assertThat(api.detail(2147483647).success()).isFalse();
    assertThat(api.detail(another).success()).isFalse();

    assertThat(used()).isEqualTo("0");
  }

  @Test
  void isNotChargedForMalformedOrUnauthenticatedCalls() {
    assertThat(api.call("/Product/Detail").form("pid=x").send().status()).isEqualTo(400);
    assertThat(api.withSecret("another").detail(pid).status()).isGreaterThanOrEqualTo(400);

    assertThat(used()).isEqualTo("0");
  }

  @Test
  void isNotChargedForARejectedCall() {
    useUp();

    assertThat(api.detail(pid).success()).isFalse();

    assertThat(used()).isEqualTo("3");
  }

  @Test
  void isSharedByTheApplicationsOfAMerchantOnAllNodes() {
    Api second = merchant.application().on(Nodes.strict());
    assertThat(merchant.api().detail(pid).success()).isTrue();
    assertThat(merchant.api().detail(pid).success()).isTrue();
    assertThat(second.detail(pid).success()).isTrue();

    assertThat(api.detail(pid).success()).isFalse();
    assertThat(second.detail(pid).success()).isFalse();
  }

  @Test
  void isCountedPerMerchant() {
    TestMerchant other = TestMerchant.fresh();
    Api forOther = other.tokenOf(api.appid(), api.secret()).on(Nodes.strict());
    int otherPid = other.product();
    useUp();

    assertThat(forOther.detail(otherPid).success()).isTrue();
  }

  @Test
  void is300ByDefault() {
    Reply first = merchant.api().on(TestServer.shared()).detail(pid);

    assertThat(first.header("ratelimit").orElseThrow()).startsWith("\"detail-per-day\";r=299;");
  }

  @ParameterizedTest
  @CsvSource({
    "UTC, 2026-03-01T00:00:00Z, 2026-03-01T23:59:59.999999Z, 2026-03-02T00:00:00Z",
    "Asia/Shanghai, 2026-02-28T16:00:00Z, 2026-03-01T15:59:59.999999Z, 2026-03-01T16:00:00Z",
    "+08:00, 2026-02-28T16:00:00Z, 2026-03-01T15:59:59.999999Z, 2026-03-01T16:00:00Z",
    "GMT+8, 2026-02-28T16:00:00Z, 2026-03-01T15:59:59.999999Z, 2026-03-01T16:00:00Z",
    "UTC-03:30, 2026-03-01T03:30:00Z, 2026-03-02T03:29:59.999999Z, 2026-03-02T03:30:00Z",
    // 23 hours
    "Europe/Berlin, 2026-03-28T23:00:00Z, 2026-03-29T21:59:59.999999Z, 2026-03-29T22:00:00Z",
    // 25 hours
    "Europe/Berlin, 2026-10-24T22:00:00Z, 2026-10-25T22:59:59.999999Z, 2026-10-25T23:00:00Z"
  })
  void beginsANewDayAtMidnightOfTheZone(String zone, String first, String last, String next) {
    DetailAt detail =
        new DetailAt(merchant, Map.of("limits.detail-per-day", "1", "limits.zone", zone));
    assertThat(detail.fetch(first, pid)).isNull();

    DetailAt.Refusal refusal = detail.attempt(Instant.parse(last), pid, "");

    assertThat(Objects.requireNonNull(refusal).code()).isEqualTo(ErrorCode.DETAIL_PER_DAY);
    assertThat(refusal.retryAt()).isEqualTo(next);
    assertThat(detail.fetch(next, pid)).isNull();
  }

  @Test
  void countsACallThatWaitedAcrossMidnight() {
    DetailAt detail = new DetailAt(merchant, Map.of("limits.detail-per-day", "1"));
    assertThat(detail.fetch("2026-03-02T00:00:00Z", pid)).isNull();

    assertThat(detail.fetch("2026-03-01T23:59:59Z", pid)).isEqualTo(ErrorCode.DETAIL_PER_DAY);
  }

  private void useUp() {
    for (int i = 0; i < 3; i++) {
      api.detail(pid);
    }
  }

  private String used() {
    return merchant.texts("select used from detail_usage where merchant_id = ?").getFirst();
  }
}
