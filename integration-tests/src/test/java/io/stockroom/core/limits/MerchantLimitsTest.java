package io.stockroom.core.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits that the operator sets for one merchant. */
class MerchantLimitsTest {
  private static final Duration SOON = Duration.ofSeconds(6);

  private final TestMerchant merchant = TestMerchant.fresh();
  private final int pid = merchant.product();
  private final Api api = merchant.api();

  @Test
  void takeEffectOnEveryNodeAndCanBeRemoved() {
    Api elsewhere = api.on(Nodes.three().get(2));
    assertThat(api.detail(pid).success()).isTrue();
    assertThat(elsewhere.detail(pid).success()).isTrue();

    Nodes.setLimits(merchant, "\"limits.detail-per-day\":\"1\"");
    assertThat(Eventually.within(SOON, () -> !elsewhere.detail(pid).success())).isTrue();
    assertThat(Eventually.within(SOON, () -> !api.detail(pid).success())).isTrue();

    Nodes.setLimits(merchant, "\"limits.detail-per-day\":null");
    assertThat(Eventually.within(SOON, () -> elsewhere.detail(pid).success())).isTrue();
    assertThat(Eventually.within(SOON, () -> api.detail(pid).success())).isTrue();
  }

  @Test
  void acceptNumbers() {
    Nodes.setLimits(merchant, "\"limits.detail-per-day\":1");
    Api fresh = merchant.application();

    assertThat(fresh.detail(pid).success()).isTrue();
    assertThat(fresh.detail(pid).success()).isFalse();
  }

  @Test
  void doNotAffectOtherMerchants() {
    Nodes.setLimits(merchant, "\"limits.detail-per-day\":\"0\"");
    TestMerchant other = TestMerchant.fresh();

    assertThat(merchant.application().detail(pid).success()).isFalse();
    assertThat(other.api().detail(other.product()).success()).isTrue();
  }

  @Test
  void setTheCreateRateLimitOfOneMerchant() {
    Nodes.setLimits(merchant, "\"limits.create-interval\":\"PT1M\"");
    TestMerchant other = TestMerchant.fresh();
    int otherPid = other.product();
    Api paced = merchant.application();

    assertThat(paced.create(Stock.one(pid, "red", "36", 1)).success()).isTrue();
    assertThat(paced.create(Stock.one(pid, "red", "37", 1)).status()).isEqualTo(429);
    assertThat(other.api().create(Stock.one(otherPid, "red", "36", 1)).success()).isTrue();
    assertThat(other.api().create(Stock.one(otherPid, "red", "37", 1)).success()).isTrue();
  }

  @Test
  void removeTheCreateRateLimitOfOneMerchant() {
    Nodes.setLimits(merchant, "\"limits.create-interval\":\"PT0S\"");
    Api paced = api.on(TestServer.paced("PT1M"));

    assertThat(paced.create(Stock.one(pid, "red", "36", 1)).success()).isTrue();
    assertThat(paced.create(Stock.one(pid, "red", "37", 1)).success()).isTrue();
  }

  @Test
  void areShownWithTheirSource() {
    Reply reply = Nodes.setLimits(merchant, "\"limits.zone\":\"Asia/Shanghai\"");
    Reply shown = Admin.of(TestServer.shared()).get("/admin/merchants/" + merchant.id());

    assertThat(reply.status()).isEqualTo(200);
    assertThat(shown.body())
        .contains("\"name\":\"limits.zone\",\"value\":\"Asia/Shanghai\",\"source\":\"override\"")
        .contains("\"name\":\"limits.detail-per-day\",\"value\":\"300\",\"source\":\"setting\"");
  }

  @ParameterizedTest
  @CsvSource({
    "limits.detail-per-day, -1, LIMIT_IMPOSSIBLE",
    "limits.publish-share, 3/2, LIMIT_IMPOSSIBLE",
    "limits.zone, Asia/Nowhere, LIMIT_IMPOSSIBLE",
    "limits.store-window, P1X, LIMIT_IMPOSSIBLE",
    "limits.create-elements, 0, LIMIT_IMPOSSIBLE",
    "page-size, 10, LIMIT_UNKNOWN"
  })
  void areRejectedTogetherIfOneIsInvalid(String name, String value, String code) {
    Reply reply =
        Nodes.setLimits(
            merchant, "\"limits.store-products\":\"7\",\"%s\":\"%s\"".formatted(name, value));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly(code);
    assertThat(reply.places()).containsExactly(name);
    assertThat(merchant.inDirectory("select limits::text from merchant where merchant_id = ?"))
        .containsExactly("{}");
  }

  @Test
  void repeatACreateResponseOnAnotherNode() {
    Api elsewhere = api.on(Nodes.three().get(2));
    long timestamp = api.nextTimestamp();
    String body = Stock.one(pid, "red", "36", 5);
    Reply first = api.call("/Stock/Creat").json(body).at(timestamp).send();
    api.create(Stock.one(pid, "red", "36", 9));

    Reply again = elsewhere.call("/Stock/Creat").json(body).at(timestamp).send();
    Reply other =
        elsewhere.call("/Stock/Creat").json(Stock.one(pid, "red", "36", 6)).at(timestamp).send();

    assertThat(again.whole()).isEqualTo(first.whole());
    assertThat(other.success()).isTrue();
    assertThat(api.stock(pid).data("stock")).containsExactly("6");
  }
}
