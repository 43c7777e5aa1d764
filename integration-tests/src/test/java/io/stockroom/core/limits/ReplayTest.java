package io.stockroom.core.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.Sql;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import org.junit.jupiter.api.Test;

class ReplayTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final int pid = merchant.product();

  @Test
  void repeatsTheResponseOfTheSameCreateAndChangesNothing() {
    long timestamp = api.nextTimestamp();
    String body = Stock.one(pid, "red", "36", 5);
    Reply first = createAt(timestamp, body);
    api.create(Stock.one(pid, "red", "36", 9));

    Reply again = createAt(timestamp, body);

    assertThat(again.whole()).isEqualTo(first.whole());
    assertThat(api.stock(pid).data("stock")).containsExactly("9");
  }

  @Test
  void storesBusinessFailuresToo() {
    long timestamp = api.nextTimestamp();
    int missing = pid + 1;
    Reply first = createAt(timestamp, Stock.one(missing, "red", "36", 5));
    merchant.products(5);

    assertThat(first.success()).isFalse();
    assertThat(createAt(timestamp, Stock.one(missing, "red", "36", 5)).whole())
        .isEqualTo(first.whole());
  }

  @Test
  void carriesOutEveryBodyOfABatchThatWasSignedOnce() {
    long timestamp = api.nextTimestamp();
    Reply first = createAt(timestamp, Stock.one(pid, "red", "36", 5));

    assertThat(createAt(timestamp, Stock.one(pid, "red", "36", 6)).success()).isTrue();
    assertThat(createAt(timestamp, Stock.one(pid, "red", "37", 7)).success()).isTrue();

    assertThat(api.stock(pid).data("stock")).containsExactly("6", "7");
    assertThat(createAt(timestamp, Stock.one(pid, "red", "36", 5)).whole())
        .as("each of them can be repeated")
        .isEqualTo(first.whole());
    assertThat(api.stock(pid).data("stock")).containsExactly("6", "7");
  }

  @Test
  void carriesOutTheSameBodyAfterHalfAMinute() throws Exception {
    long timestamp = api.nextTimestamp();
    String body = Stock.one(pid, "red", "36", 5);
    String before = now();
    createAt(timestamp, body);
    assertThat(
            merchant.texts(
                """
                select expires_at between '%s'::timestamptz + interval '30 seconds'
                  and clock_timestamp() + interval '30 seconds'
                from idempotent_reply where merchant_id = ?
                """
                    .formatted(before)))
        .containsExactly("t");
    api.create(Stock.one(pid, "red", "36", 9));

    expireIn("1 minute");
    createAt(timestamp, body);
    assertThat(api.stock(pid).data("stock")).containsExactly("9");
    expireIn("0 seconds");
    createAt(timestamp, body);
    assertThat(api.stock(pid).data("stock")).containsExactly("5");
  }

  private String now() {
    return merchant.texts("select clock_timestamp() where ? > 0").getFirst();
  }

  private void expireIn(String time) throws Exception {
    TestServer.shared()
        .database()
        .write(
            connection ->
                Sql.of(
                        """
                        update idempotent_reply set expires_at = now() + :time::interval
                        where merchant_id = :merchantId
                        """)
                    .on(connection)
                    .set("time", time)
                    .set("merchantId", merchant.id())
                    .update());
  }

  @Test
  void isExemptFromTheRateLimit() {
    Api paced = api.on(TestServer.paced("PT1M"));
    long timestamp = api.nextTimestamp();
    String body = Stock.one(pid, "red", "36", 5);
    Reply first = paced.call("/Stock/Creat").json(body).at(timestamp).send();
    assertThat(paced.create(Stock.one(pid, "red", "37", 5)).status()).isEqualTo(429);

    Reply again = paced.call("/Stock/Creat").json(body).at(timestamp).send();

    assertThat(again.whole()).isEqualTo(first.whole());
    assertThat(paced.call("/Stock/Creat").json("[]").at(timestamp).send().status()).isEqualTo(400);
  }

  @Test
  void judgesAnotherBodyByTheRateLimitAlone() {
    Api paced = api.on(TestServer.paced("PT1M"));
    long timestamp = api.nextTimestamp();
    paced.call("/Stock/Creat").json(Stock.one(pid, "red", "36", 5)).at(timestamp).send();
    String other = Stock.one(pid, "red", "36", 6);

    Reply early = paced.call("/Stock/Creat").json(other).at(timestamp).send();

    assertThat(early.status()).isEqualTo(429);
    assertThat(early.codes()).containsExactly("CREATE_RATE");
    assertThat(early.header("retry-after")).isPresent();
    assertThat(createAt(timestamp, other).success()).as("where the rate limit allows it").isTrue();
    assertThat(api.stock(pid).data("stock")).containsExactly("6");
  }

  @Test
  void isScopedToTheToken() {
    Api second = merchant.token("\"boundStore\":\"shop\"");
    long timestamp = api.nextTimestamp();
    String body = Stock.one(pid, "red", "36", 5);
    createAt(timestamp, body);
    api.create(Stock.one(pid, "red", "36", 6));

    assertThat(second.call("/Stock/Creat").json(body).at(timestamp).send().success()).isTrue();
    assertThat(api.stock(pid).data("stock")).containsExactly("5");
  }

  @Test
  void doesNotStoreARejection() {
    long timestamp = api.nextTimestamp();
    assertThat(createAt(timestamp, "[]").status()).isEqualTo(400);

    assertThat(createAt(timestamp, Stock.one(pid, "red", "36", 5)).success()).isTrue();
  }

  @Test
  void doesNotApplyToReads() {
    long timestamp = api.nextTimestamp();
    createAt(timestamp, Stock.one(pid, "red", "36", 5));

    assertThat(api.call("/Stock/List").form("productid=" + pid).at(timestamp).send().success())
        .isTrue();
    assertThat(api.call("/Stock/Product").form("page=1").at(timestamp).send().success()).isTrue();
  }

  private Reply createAt(long timestamp, String body) {
    return api.call("/Stock/Creat").json(body).at(timestamp).send();
  }
}
