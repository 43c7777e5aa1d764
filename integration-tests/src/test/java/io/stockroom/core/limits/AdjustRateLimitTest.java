package io.stockroom.core.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.Sql;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Moves the calls that were made to the future, so that the machine's speed does not matter. */
class AdjustRateLimitTest {

  private final TestMerchant merchant = TestMerchant.fresh();
  private final int pid = merchant.product();
  private final Api api = merchant.api().on(server());

  @BeforeEach
  void stock() {
    merchant.api().create(Stock.one(pid, "red", "36", 1000));
    assertThat(adjust(api).success()).isTrue();
  }

  @Test
  void allowsTheTenthCallWithinASecondAndRejectsTheEleventh() throws SQLException {
    callsWithinTheSecond(9);
    Reply tenth = adjust(api);
    assertThat(tenth.success()).isTrue();
    assertThat(tenth.header("ratelimit-policy")).contains("\"adjust\";q=10;w=1");
    assertThat(tenth.header("ratelimit")).contains("\"adjust\";r=0;t=1");

    Reply eleventh = adjust(api);

    assertThat(eleventh.status()).isEqualTo(429);
    assertThat(eleventh.codes()).containsExactly("ADJUST_RATE");
    assertThat(eleventh.msg()).startsWith("At most 10 adjust requests per second are allowed;");
    assertThat(Integer.parseInt(eleventh.header("retry-after").orElseThrow())).isPositive();
    assertThat(eleventh.header("ratelimit").orElseThrow()).startsWith("\"adjust\";r=0;t=");
    assertThat(merchant.api().stock(pid).data("stock")).containsExactly("998");
  }

  @Test
  void countsCallsOfTheLastSecondOnly() throws SQLException {
    calls(10, "- interval '1 second'");

    assertThat(adjust(api).success()).isTrue();
  }

  @Test
  void allowsMoreAfterAWhile() {
    // at least ten calls of which some come within a second, unless the machine is very slow
    for (int i = 0; i < 12; i++) {
      adjust(api);
    }

    assertThat(Eventually.within(Duration.ofSeconds(10), () -> adjust(api).status() == 200))
        .isTrue();
  }

  @Test
  void countsAcrossAllNodesAndTokens() throws SQLException {
    callsWithinTheSecond(10);
    Api elsewhere = api.on(TestServer.paced("PT1M"));
    Api second = merchant.token("\"boundStore\":\"shop\"").on(server());

    assertThat(adjust(elsewhere).status()).isEqualTo(429);
    assertThat(adjust(second).status()).isEqualTo(429);
    assertThat(adjust(merchant.application().on(server())).success()).isTrue();
    assertThat(merchant.api().create(Stock.one(pid, "red", "37", 1)).success())
        .as("creates have their own limit")
        .isTrue();
  }

  @Test
  void isSpentByABusinessFailureButNotByARejection() throws SQLException {
    callsWithinTheSecond(9);
    assertThat(api.adjust("[]").status()).isEqualTo(400);
    assertThat(api.adjust("[{\"barCode\":\"690\",\"change\":1}]").codes())
        .containsExactly("BARCODE_UNKNOWN");

    assertThat(adjust(api).status()).isEqualTo(429);
  }

  @Test
  void repeatsAResponseForFree() throws SQLException {
    Reply first = keyed();
    callsWithinTheSecond(10);

    assertThat(adjust(api).status()).isEqualTo(429);
    assertThat(keyed().whole()).isEqualTo(first.whole());
  }

  @Test
  void canBeSetForAMerchant() throws SQLException {
    TestMerchant strict = TestMerchant.fresh();
    assertThat(Nodes.setLimits(strict, "\"limits.adjust-per-second\":\"1\"").status())
        .isEqualTo(200);
    TestMerchant free = TestMerchant.fresh();
    Nodes.setLimits(free, "\"limits.adjust-per-second\":\"0\"");

    Reply limited = strict.api().on(server()).adjust("[{\"barCode\":\"690\",\"change\":1}]");
    Reply unlimited = free.api().on(server()).adjust("[{\"barCode\":\"690\",\"change\":1}]");

    assertThat(limited.header("ratelimit-policy")).contains("\"adjust\";q=1;w=1");
    assertThat(unlimited.header("ratelimit-policy")).isEmpty();
  }

  @Test
  void isShownByUsage() {
    Reply usage = api.call("/Usage").form("").send();

    assertThat(usage.body())
        .contains(
            "{\"name\":\"adjust-per-second\",\"limit\":10,\"used\":null,\"remaining\":null,"
                + "\"resetsAt\":null,\"note\":\"at most 10 adjust requests in one second\"}");
  }

  private Reply adjust(Api caller) {
    return caller.adjust(
        "[{\"pid\":%d,\"color\":\"red\",\"size\":36,\"change\":-1}]".formatted(pid));
  }

  private Reply keyed() {
    return api.call("/Stock/Adjust")
        .header("Idempotency-Key", "k")
        .json("[{\"pid\":%d,\"color\":\"red\",\"size\":36,\"change\":-1}]".formatted(pid))
        .send();
  }

  /** A minute ahead: still within the second when the test looks. */
  private void callsWithinTheSecond(int count) throws SQLException {
    calls(count, "+ interval '1 minute'");
  }

  private void calls(int count, String when) throws SQLException {
    Sql set =
        Sql.of(
            """
            update call_rate set calls = array_fill(clock_timestamp() %s, array[:count::int])
            where merchant_id = :merchantId and endpoint = '/Stock/Adjust'
            """
                .formatted(when));
    TestServer.shared()
        .database()
        .write(
            connection ->
                set.on(connection).set("count", count).set("merchantId", merchant.id()).update());
  }

  private static TestServer server() {
    return TestServer.paced("PT2S");
  }
}
