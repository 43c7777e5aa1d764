package io.stockroom.core.limits;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.LongTransaction;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Signature;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Call;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {
  private static final String KEY = "Idempotency-Key";
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int MAX_RESENDS = 200;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final int pid = merchant.product();

  @Test
  void repeatsTheResponseOfAnAdjustAndChangesNothing() {
    create(5);
    Reply first = adjust(api, "k1", -1);
    Reply again = adjust(api, "k1", -1);
    Reply elsewhere = adjust(api.on(TestServer.other()), "k1", -1);

    assertThat(first.success()).isTrue();
    assertThat(again.whole()).isEqualTo(first.whole());
    assertThat(elsewhere.whole()).isEqualTo(first.whole());
    assertThat(quantity()).isEqualTo("4");
    assertThat(adjust(api, "k2", -1).success()).isTrue();
    assertThat(quantity()).isEqualTo("3");
  }

  @Test
  void isNotNeeded() {
    create(5);
    long timestamp = api.nextTimestamp();
    String body = adjustment(-1);

    assertThat(api.call("/Stock/Adjust").json(body).at(timestamp).send().success()).isTrue();
    assertThat(api.call("/Stock/Adjust").json(body).at(timestamp).send().success()).isTrue();
    assertThat(quantity()).as("two equal sales in one second").isEqualTo("3");
  }

  @Test
  void replacesTheTimestampOfACreate() {
    String body = Stock.one(pid, "red", "36", 5);
    long timestamp = api.nextTimestamp();
    Reply first = keyed("/Stock/Creat", "k", body).at(timestamp).send();
    api.create(Stock.one(pid, "red", "36", 9));

    Reply later = keyed("/Stock/Creat", "k", body).send();
    Reply otherKey =
        keyed("/Stock/Creat", "k2", Stock.one(pid, "red", "36", 7)).at(timestamp).send();

    assertThat(later.whole()).isEqualTo(first.whole());
    assertThat(otherKey.success()).as("the same timestamp with another key").isTrue();
    assertThat(quantity()).isEqualTo("7");
  }

  @Test
  void repeatsTheResponseOfAPublishResult() {
    String published = "[{\"pid\":%d,\"result\":\"published\"}]".formatted(pid);
    String failed = published.replace("published", "failed");
    Reply first = keyed("/Product/Publish", "k", published).send();
    api.call("/Product/Publish").json(failed).send();

    assertThat(keyed("/Product/Publish", "k", published).send().whole()).isEqualTo(first.whole());
    assertThat(keyed("/Product/Publish", "k", failed).send().codes())
        .containsExactly("IDEMPOTENCY_MISMATCH");
    assertThat(merchant.texts("select result from publish_result where merchant_id = ?"))
        .containsExactly("failed");
  }

  @Test
  void rejectsAnotherBodyEvenWhileTheRateLimitHolds() {
    Api paced = api.on(TestServer.paced("PT1M"));
    Call call = paced.call("/Stock/Creat").header(KEY, "k");
    assertThat(call.json(Stock.one(pid, "red", "36", 5)).send().success()).isTrue();

    Reply reply = call.json(Stock.one(pid, "red", "36", 6)).send();

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("IDEMPOTENCY_MISMATCH");
    assertThat(reply.places()).containsExactly("headers.Idempotency-Key");
    assertThat(reply.msg()).contains("\"k\"");
    assertThat(quantity()).isEqualTo("5");
  }

  @Test
  void repeatsAResponseForFree() {
    Api paced = api.on(TestServer.paced("PT1M"));
    Call call = paced.call("/Stock/Creat").header(KEY, "k").json(Stock.one(pid, "red", "36", 5));
    Reply first = call.send();
    assertThat(paced.create(Stock.one(pid, "red", "37", 5)).status()).isEqualTo(429);

    assertThat(call.send().whole()).isEqualTo(first.whole());
  }

  @Test
  void doesNotStoreARejection() {
    Api paced = api.on(TestServer.paced("PT1M"));
    paced.create(Stock.one(pid, "red", "36", 5));
    assertThat(
            paced
                .call("/Stock/Creat")
                .header(KEY, "k")
                .json(Stock.one(pid, "red", "36", 8))
                .send()
                .status())
        .isEqualTo(429);
    assertThat(keyed("/Stock/Adjust", "k", "[]").send().status()).isEqualTo(400);
    String twice =
        "[{\"pid\":%d,\"color\":\"red\",\"size\":36,\"change\":1},".formatted(pid)
            + "{\"artNo\":\"A1\",\"color\":\"red\",\"size\":36,\"change\":1}]";
    assertThat(keyed("/Stock/Adjust", "k", twice).send().codes()).containsExactly("ENTRY_REPEATED");

    assertThat(keyed("/Stock/Creat", "k", Stock.one(pid, "red", "36", 7)).send().success())
        .isTrue();
    assertThat(adjust(api, "k", -1).success()).isTrue();
    assertThat(quantity()).isEqualTo("6");
  }

  @Test
  void storesBusinessFailuresWithTheirCode() {
    Reply first = adjust(api, "k", -1);
    assertThat(first.codes()).containsExactly("ENTRY_MISSING");
    create(5);

    Reply again = adjust(api, "k", -1);

    assertThat(again.whole()).isEqualTo(first.whole());
    assertThat(again.header("x-error-code")).contains("ENTRY_MISSING");
    assertThat(quantity()).isEqualTo("5");
  }

  @Test
  void isScopedToApplicationMerchantAndEndpointButNotToTheToken() {
    create(9);
    assertThat(adjust(api, "k", -1).success()).isTrue();

    assertThat(adjust(merchant.application(), "k", -2).success()).isTrue();
    assertThat(keyed("/Stock/Creat", "k", Stock.one(pid, "red", "40", 1)).send().success())
        .isTrue();
    TestMerchant other = TestMerchant.fresh();
    Reply elsewhere = adjust(other.tokenOf(api.appid(), api.secret()), "k", -1);
    assertThat(elsewhere.codes()).containsExactly("PRODUCT_MISSING");
    Api second = merchant.token("\"boundStore\":\"shop\"");
    assertThat(adjust(second, "k", -3).codes()).containsExactly("IDEMPOTENCY_MISMATCH");
    assertThat(adjust(second, "k", -1).success()).isTrue();
    assertThat(quantity()).isEqualTo("6");
  }

  @Test
  void waitsForTheFirstCallThatIsStillRunning() throws Exception {
    create(5);
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Reply> first;
      Future<Reply> second;
      try (LongTransaction held = merchant.server().database().begin();
          Statement statement = held.connection().createStatement()) {
        statement.execute(
            "select 1 from product where merchant_id = %d for no key update"
                .formatted(merchant.id()));
        first = callers.submit(() -> adjustUntilAnswered(api));
        assertThat(Eventually.within(SOON, () -> areWaiting("%from product%", 1))).isTrue();
        second = callers.submit(() -> adjustUntilAnswered(api.on(TestServer.other())));
        assertThat(Eventually.within(SOON, () -> areWaiting("insert into call_rate%", 1))).isTrue();
      }
      assertThat(first.get().success()).isTrue();
      assertThat(second.get().whole()).isEqualTo(first.get().whole());
    }
    assertThat(quantity()).isEqualTo("4");
  }

  @Test
  void appliesConcurrentCopiesOnce() throws Exception {
    create(64);
    List<TestServer> nodes = List.of(TestServer.shared(), TestServer.other());
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> replies =
          java.util.stream.IntStream.range(0, 16)
              .mapToObj(
                  i ->
                      callers.submit(
                          () -> adjustUntilAnswered(api.on(nodes.get(i % nodes.size())))))
              .toList();
      String first = replies.getFirst().get().whole();
      for (Future<Reply> reply : replies) {
        assertThat(reply.get().whole()).isEqualTo(first);
      }
    }
    assertThat(quantity()).isEqualTo("63");
  }

  @Test
  void lives24Hours() throws Exception {
    create(5);
    adjust(api, "inside", -1);
    adjust(api, "outside", -1);
    age("inside", "23 hours 59 minutes");
    age("outside", "24 hours 1 second");

    adjust(api, "inside", -1);
    assertThat(adjust(api, "outside", -2).success()).as("forgotten, although not deleted").isTrue();
    assertThat(quantity()).isEqualTo("1");

    age("outside", "24 hours 1 second");
    new IdempotentReplies(TestServer.shared().cells()).deleteOld();
    assertThat(
            merchant.texts(
                "select key from idempotent_reply where merchant_id = ? and endpoint ~ 'Adjust'"))
        .containsExactly("inside");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", ""})
  void rejectsAMalformedKey(String key) {
    create(5);
    Reply reply = adjust(api, key, -1);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("IDEMPOTENCY_KEY_FORMAT");
    assertThat(reply.places()).containsExactly("headers.Idempotency-Key");
    assertThat(quantity()).isEqualTo("5");
  }

  @Test
  void accepts64CharactersAndRejects65() {
    create(5);

    assertThat(adjust(api, "a".repeat(64), -1).success()).isTrue();
    assertThat(adjust(api, "a".repeat(65), -1).codes()).containsExactly("IDEMPOTENCY_KEY_FORMAT");
  }

  @Test
  void isIgnoredWhereNothingIsWritten() {
    for (String key : List.of("k", "a b", "a".repeat(65))) {
      assertThat(api.call("/Stock/Product").form("page=1").header(KEY, key).send().success())
          .isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/Stock/Import/Undo", "/Stock/Import/Apply", "/Webhook/Delete"})
  void isRejectedByCommands(String path) {
    Reply reply = api.call(path).form("job=1&id=wh_1").header(KEY, "k").send();

    assertThat(reply.codes()).containsExactly("IDEMPOTENCY_KEY_UNSUPPORTED");
    assertThat(reply.places()).containsExactly("headers.Idempotency-Key");
    assertThat(reply.msg()).contains(path);
    assertThat(
            api.call("/Webhook/Create")
                .json("{\"url\":\"http://127.0.0.1:1024/\"}")
                .header(KEY, "k")
                .send()
                .codes())
        .containsExactly("IDEMPOTENCY_KEY_UNSUPPORTED");
    assertThat(api.call("/Webhook/List").form("").header(KEY, "k").send().success()).isTrue();
  }

  @Test
  void isPartOfWhatANonceStandsFor() {
    create(5);
    String nonce = UUID.randomUUID().toString();
    long timestamp = api.nextTimestamp();
    Reply first = signed(timestamp, nonce, Map.of(KEY, "k"));
    assertThat(first.success()).isTrue();

    assertThat(signed(timestamp, nonce, Map.of(KEY, "k")).whole()).isEqualTo(first.whole());
    assertThat(signed(timestamp, nonce, Map.of(KEY, "other")).codes())
        .containsExactly("NONCE_REUSED");
    assertThat(signed(timestamp, nonce, Map.of()).codes()).containsExactly("NONCE_REUSED");
    // who captured the request cannot send it under another key, or without one
    assertThat(signed(timestamp, nonce, Map.of(KEY, "k"), "other").codes())
        .containsExactly("CREDENTIALS_WRONG");
    assertThat(signed(timestamp, nonce, Map.of(KEY, "k"), "").codes())
        .containsExactly("CREDENTIALS_WRONG");
    assertThat(signed(timestamp, nonce, Map.of(), "k").codes())
        .containsExactly("CREDENTIALS_WRONG");
    assertThat(quantity()).isEqualTo("4");
  }

  private Reply signed(long timestamp, String nonce, Map<String, String> headers) {
    return signed(timestamp, nonce, headers, headers.getOrDefault(KEY, ""));
  }

  private Reply signed(long timestamp, String nonce, Map<String, String> signed, String sentKey) {
    String body = adjustment(-1);
    String text =
        Signature.signedText(
            "POST",
            "/Stock/Adjust",
            Long.toString(timestamp),
            api.accesstoken(),
            body.getBytes(UTF_8),
            nonce,
            signed.getOrDefault(KEY, ""));
    Call call =
        api.call("/Stock/Adjust")
            .json(body)
            .at(timestamp)
            .header("sign-method", "hmac-sha256")
            .header("sign-nonce", nonce)
            .header("sign", Signature.hmac(api.secret(), text));
    return sentKey.isEmpty() ? call.send() : call.header(KEY, sentKey).send();
  }

  /** A busy machine may shed load, or a lock may time out, which changes nothing. */
  private Reply adjustUntilAnswered(Api caller) {
    Reply reply = adjust(caller, "k", -1);
    for (int again = 0; again < MAX_RESENDS && reply.status() == 503; again++) {
      reply = adjust(caller, "k", -1);
    }
    return reply;
  }

  private boolean areWaiting(String statement, int count) {
    List<String> waiting =
        merchant.texts(
            """
            select count(*) from pg_stat_activity
            where wait_event_type = 'Lock' and query like '%s'
            """
                .formatted(statement));
    return Integer.parseInt(waiting.getFirst()) >= count;
  }

  private void age(String key, String by) throws SQLException {
    Sql age =
        Sql.of(
            """
            update idempotent_reply set expires_at = expires_at - :by::interval
            where merchant_id = :merchantId and key = :key
            """);
    TestServer.shared()
        .database()
        .write(
            connection ->
                age.on(connection)
                    .set("by", by)
                    .set("merchantId", merchant.id())
                    .set("key", key)
                    .update());
  }

  private void create(int stock) {
    assertThat(api.create(Stock.one(pid, "red", "36", stock)).success()).isTrue();
  }

  private String quantity() {
    return api.stock(pid).data("stock").getFirst();
  }

  private Reply adjust(Api caller, String key, int change) {
    return caller.call("/Stock/Adjust").json(adjustment(change)).header(KEY, key).send();
  }

  private Call keyed(String path, String key, String body) {
    return api.call(path).json(body).header(KEY, key);
  }

  private String adjustment(int change) {
    return "[{\"pid\":%d,\"color\":\"red\",\"size\":36,\"change\":%d}]".formatted(pid, change);
  }
}
