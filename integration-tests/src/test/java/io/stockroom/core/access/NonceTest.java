package io.stockroom.core.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Signature;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NonceTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final String nonce = UUID.randomUUID().toString();

  @Test
  void acceptsANonceOnceAcrossAllNodes() {
    long timestamp = api.nextTimestamp();
    Api elsewhere = api.on(TestServer.other());
    assertThat(list(api, timestamp, nonce).status()).isEqualTo(200);

    for (Reply again : List.of(list(api, timestamp, nonce), list(elsewhere, timestamp, nonce))) {
      assertThat(again.status()).isEqualTo(400);
      assertThat(again.codes()).containsExactly("NONCE_REUSED");
      assertThat(again.places()).containsExactly("headers.sign-nonce");
      assertThat(again.msg()).contains(nonce);
    }
    assertThat(list(api, timestamp, UUID.randomUUID().toString()).status()).isEqualTo(200);
    assertThat(list(api, api.nextTimestamp(), nonce).codes()).containsExactly("NONCE_REUSED");
  }

  @Test
  void acceptsRequestsWithoutANonce() {
    long timestamp = api.nextTimestamp();

    assertThat(list(api, timestamp, "").status()).isEqualTo(200);
    assertThat(list(api, timestamp, "").status()).isEqualTo(200);
  }

  @Test
  void acceptsOneOfManyConcurrentRequests() throws Exception {
    long timestamp = api.nextTimestamp();
    List<Integer> statuses = new ArrayList<>();
    try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
      List<Future<Reply>> replies = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        replies.add(callers.submit(() -> list(api, timestamp, nonce)));
      }
      for (Future<Reply> reply : replies) {
        statuses.add(reply.get().status());
      }
    }

    assertThat(statuses).filteredOn(status -> status == 200).hasSize(1);
    assertThat(statuses).filteredOn(status -> status == 400).hasSize(7);
  }

  @Test
  void scopesNoncesToApplicationAndMerchant() {
    Api otherApplication = merchant.application();
    Api otherMerchant = TestMerchant.fresh().tokenOf(api.appid(), api.secret());

    for (Api each : List.of(api, otherApplication, otherMerchant)) {
      assertThat(list(each, each.nextTimestamp(), nonce).status()).isEqualTo(200);
      assertThat(list(each, each.nextTimestamp(), nonce).codes()).containsExactly("NONCE_REUSED");
    }
  }

  @Test
  void repeatsTheResponseOfTheSameCreateAndRejectsAnother() {
    int pid = merchant.product();
    long timestamp = api.nextTimestamp();
    String body = Stock.one(pid, "red", "36", 5);
    Reply first = send(api, "/Stock/Creat", body, timestamp, nonce);
    assertThat(first.success()).isTrue();

    assertThat(send(api, "/Stock/Creat", body, timestamp, nonce).whole()).isEqualTo(first.whole());
    assertThat(
            send(api, "/Stock/Creat", Stock.one(pid, "red", "36", 6), api.nextTimestamp(), nonce)
                .codes())
        .containsExactly("NONCE_REUSED");
    assertThat(api.stock(pid).data("stock")).containsExactly("5");
  }

  @Test
  void rejectsTheSameCreateWhenItsResponseIsNoLongerKept() throws Exception {
    int pid = merchant.product();
    long timestamp = api.nextTimestamp();
    String body = Stock.one(pid, "red", "36", 5);
    Reply first = send(api, "/Stock/Creat", body, timestamp, nonce);

    age(nonce, 10);
    assertThat(send(api, "/Stock/Creat", body, timestamp, nonce).whole()).isEqualTo(first.whole());
    age(nonce, 30);
    assertThat(send(api, "/Stock/Creat", body, timestamp, nonce).codes())
        .containsExactly("NONCE_REUSED");
  }

  @Test
  void isCoveredByTheSignature() {
    String timestamp = Long.toString(api.nextTimestamp());
    String text =
        Signature.signedText("POST", "/Usage", timestamp, api.accesstoken(), new byte[0], nonce);
    String sign = Signature.hmac(api.secret(), text);

    assertThat(usage(timestamp, sign, UUID.randomUUID().toString()).codes())
        .containsExactly("CREDENTIALS_WRONG");
    assertThat(usage(timestamp, sign, nonce).status())
        .as("a wrong signature uses no nonce up")
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 64})
  void accepts16To64Characters(int characters) {
    assertThat(list(api, api.nextTimestamp(), "!".repeat(characters)).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(ints = {15, 65})
  void rejectsShorterAndLongerNonces(int characters) {
    Reply reply = list(api, api.nextTimestamp(), "!".repeat(characters));

    assertThat(reply.codes()).containsExactly("NONCE_FORMAT");
    assertThat(reply.places()).containsExactly("headers.sign-nonce");
  }

  @Test
  void rejectsANonceThatIsNotSigned() {
    Reply reply = api.call("/Usage").header("sign-nonce", nonce).send();

    assertThat(reply.codes()).containsExactly("NONCE_UNSIGNED");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/Stock/Adjust",
        "/Stock/Remove",
        "/Product/Save",
        "/Product/Archive",
        "/Product/Restore",
        "/Webhook/Create",
        "/Webhook/List",
        "/Webhook/Delete",
        "/Stock/Import",
        "/Stock/Import/Status",
        "/Stock/Import/Undo"
      })
  void isRequiredWhereAReplayDoesHarm(String path) {
    Reply without = send(api, path, "[]", api.nextTimestamp(), "");

    assertThat(without.codes()).containsExactly("NONCE_REQUIRED");
    assertThat(without.places()).containsExactly("headers.sign-nonce");
    assertThat(send(api, path, "[]", api.nextTimestamp(), nonce).codes())
        .doesNotContain("NONCE_REQUIRED", "CREDENTIALS_WRONG");
    assertThat(api.call(path).json("[]").send().codes()).as("MD5").doesNotContain("NONCE_REQUIRED");
  }

  @Test
  void canBeRequiredOfAnApplicationOrOfAll() {
    change("{\"requireNonce\":true}");
    TestServer strict = TestServer.with(Map.of("require-nonce", "true"));
    Api elsewhere = TestMerchant.on(strict).api();

    assertThat(
            Eventually.within(
                Duration.ofSeconds(5),
                () -> list(api, api.nextTimestamp(), "").codes().contains("NONCE_REQUIRED")))
        .isTrue();
    assertThat(list(elsewhere, elsewhere.nextTimestamp(), "").codes())
        .containsExactly("NONCE_REQUIRED");
    for (Api each : List.of(api, elsewhere)) {
      assertThat(list(each, each.nextTimestamp(), nonce).status()).isEqualTo(200);
      assertThat(each.products("page=1").status()).as("MD5").isEqualTo(200);
    }
  }

  @Test
  void md5CanBeRestrictedToOtherCallsThanWebhooksAndImports() {
    change("{\"restrictMd5\":true}");

    assertThat(
            Eventually.within(
                Duration.ofSeconds(5),
                () -> api.call("/Webhook/List").send().codes().contains("SIGN_METHOD_REQUIRED")))
        .isTrue();
    assertThat(api.call("/Stock/Import").body("text/csv", "x").send().codes())
        .containsExactly("SIGN_METHOD_REQUIRED");
    assertThat(api.products("page=1").status()).isEqualTo(200);
    assertThat(api.call("/Stock/Adjust").json("[]").send().codes()).containsExactly("LIST_EMPTY");
    assertThat(send(api, "/Webhook/List", "", api.nextTimestamp(), nonce).status()).isEqualTo(200);
  }

  private void change(String body) {
    assertThat(
            Admin.of(TestServer.shared())
                .send("PATCH", "/admin/applications/" + api.appid(), body)
                .status())
        .isEqualTo(200);
  }

  @Test
  void isForgottenAfterTheTimestampWindow() throws Exception {
    list(api, api.nextTimestamp(), "just-inside-nonce");
    list(api, api.nextTimestamp(), "just-outside-nonce");
    age("just-inside-nonce", 650);
    age("just-outside-nonce", 661);

    new Nonces(TestServer.shared().cells()).forgetOld(Duration.ofMinutes(5));

    assertThat(merchant.texts("select nonce from nonce where merchant_id = ?"))
        .containsExactly("just-inside-nonce");
  }

  private void age(String which, int seconds) throws Exception {
    TestServer.shared()
        .database()
        .write(
            connection ->
                Sql.of(
                        """
                        update nonce set seen_at = now() - :seconds * interval '1 second'
                        where merchant_id = :merchantId and nonce = :nonce
                        """)
                    .on(connection)
                    .set("seconds", seconds)
                    .set("merchantId", merchant.id())
                    .set("nonce", which)
                    .update());
  }

  private Reply usage(String timestamp, String sign, String sent) {
    return api.call("/Usage")
        .at(timestamp)
        .header("sign-method", "hmac-sha256")
        .header("sign", sign)
        .header("sign-nonce", sent)
        .send();
  }

  private static Reply list(Api api, long timestamp, String nonce) {
    return send(api, "/Stock/Product", "page=1", timestamp, nonce);
  }

  private static Reply send(Api api, String path, String body, long timestamp, String nonce) {
    String time = Long.toString(timestamp);
    String text =
        Signature.signedText("POST", path, time, api.accesstoken(), body.getBytes(UTF_8), nonce);
    var call = api.call(path);
    var sent = path.equals("/Stock/Creat") || body.equals("[]") ? call.json(body) : call.form(body);
    sent.at(time)
        .header("sign-method", "hmac-sha256")
        .header("sign", Signature.hmac(api.secret(), text));
    return nonce.isEmpty() ? sent.send() : sent.header("sign-nonce", nonce).send();
  }
}
