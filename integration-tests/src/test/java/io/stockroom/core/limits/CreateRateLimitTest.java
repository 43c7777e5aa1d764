package io.stockroom.core.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CreateRateLimitTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final int pid = merchant.product();
  private final Api api = merchant.api().on(TestServer.paced("PT1M"));

  @Test
  void rejectsASecondCreateWithinTheIntervalWith429AndRetryAfter() {
    assertThat(api.create(red(36)).success()).isTrue();

    Reply reply = api.create(red(37));

    assertThat(reply.status()).isEqualTo(429);
    assertThat(reply.codes()).containsExactly("CREATE_RATE");
    assertThat(Integer.parseInt(reply.header("retry-after").orElseThrow())).isBetween(1, 60);
    assertThat(reply.body())
        .matches(
            """
            \\{"success":false,"msg":"One create request per 1 minute is allowed; try again in (1 minute|\\d+ seconds?)\\.",\
            "errors":\\[\\{"at":"","code":"CREATE_RATE","msg":"[^"]+"\\}\\]\\}""");
    assertThat(merchant.entries()).isEqualTo(1);
  }

  @Test
  void isNamedInTheRequestLog() {
    api.create(red(36));
    api.create(red(37));

    String codes = "select code from request_log where merchant_id = ? and status = 429";
    assertThat(
            Eventually.within(
                Duration.ofSeconds(30), () -> merchant.texts(codes).contains("CREATE_RATE")))
        .isTrue();
  }

  @Test
  void allowsTheNextCreateAfterTheInterval() {
    Api quick = api.on(TestServer.paced("PT0.3S"));
    long start = System.nanoTime();
    assertThat(quick.create(red(36)).success()).isTrue();

    assertThat(
            Eventually.within(Duration.ofSeconds(10), () -> quick.create(red(37)).status() == 200))
        .isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(299));
    assertThat(merchant.entries()).isEqualTo(2);
  }

  @Test
  void countsAcrossAllNodes() {
    Api elsewhere = api.on(TestServer.paced("PT59S"));
    api.create(red(36));

    assertThat(elsewhere.create(red(37)).status()).isEqualTo(429);
  }

  @Test
  void isNotSpentByAMalformedOrUnauthenticatedRequest() {
    assertThat(api.create("[]").status()).isEqualTo(400);
    assertThat(api.withSecret("another").create(red(36)).status()).isEqualTo(400);

    assertThat(api.create(red(36)).success()).isTrue();
  }

  @Test
  void isSpentByABusinessFailure() {
    assertThat(api.create(Stock.one(2147483647, "red", "36", 1)).status()).isEqualTo(200);

    assertThat(api.create(red(36)).status()).isEqualTo(429);
  }

  @Test
  void isNotSpentByARejectedCreate() {
    api.create(red(36));
    String sql = "select calls from call_rate where merchant_id = ?";
    List<String> spentAt = merchant.texts(sql);

    assertThat(api.create(red(37)).status()).isEqualTo(429);
    assertThat(merchant.texts(sql)).isEqualTo(spentAt);
  }

  @Test
  void isCountedPerApplication() {
    Api second = merchant.application().on(TestServer.paced("PT1M"));
    api.create(red(36));

    assertThat(second.create(red(37)).success()).isTrue();
    assertThat(second.create(red(38)).status()).isEqualTo(429);
  }

  @Test
  void isSharedByTheTokensOfAnApplication() {
    Api second = merchant.token("\"boundStore\":\"shop\"").on(TestServer.paced("PT1M"));
    api.create(red(36));

    assertThat(second.create(red(37)).status()).isEqualTo(429);
  }

  @Test
  void isCountedPerMerchant() {
    TestMerchant other = TestMerchant.fresh();
    Api forOther = other.tokenOf(api.appid(), api.secret()).on(TestServer.paced("PT1M"));
    int otherPid = other.product();
    api.create(red(36));

    assertThat(forOther.create(Stock.one(otherPid, "red", "36", 1)).success()).isTrue();
    assertThat(forOther.create(Stock.one(otherPid, "red", "37", 1)).status()).isEqualTo(429);
  }

  @Test
  void doesNotApplyToReads() {
    api.create(red(36));

    assertThat(api.create(red(37)).status()).isEqualTo(429);
    assertThat(api.stock(pid).success()).isTrue();
    assertThat(api.products("page=1").success()).isTrue();
  }

  private String red(int size) {
    return Stock.one(pid, "red", "" + size, 1);
  }
}
