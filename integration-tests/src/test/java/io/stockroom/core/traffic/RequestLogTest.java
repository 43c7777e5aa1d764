package io.stockroom.core.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.settings.Settings;
import io.stockroom.core.traffic.Traffic.Exchange;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Logged;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestLogTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final RequestLog log = new RequestLog(TestServer.shared().cells());

  @Test
  void storesRequestAndResponseWithSecretsRedacted() throws Exception {
    int pid = merchant.product();
    api.create(Stock.one(pid, "red", "36", 5));
    Reply reply = api.call("/Stock/List").query("x=1").form("productid=" + pid).send();

    RequestLog.Whole call = find(reply);

    assertThat(call.row().endpoint()).isEqualTo("/Stock/List");
    assertThat(call.row().path()).isEqualTo("/Stock/List?x=1");
    assertThat(call.row().merchantId()).isEqualTo(merchant.id());
    assertThat(call.row().appid()).isEqualTo(api.appid());
    assertThat(call.row().status()).isEqualTo(200);
    assertThat(call.row().code()).isEmpty();
    assertThat(call.row().outcome()).isEqualTo(RequestLog.Outcome.SUCCEEDED);
    assertThat(call.row().address()).isEqualTo("127.0.0.1");
    assertThat(text(call.body())).isEqualTo("productid=" + pid);
    assertThat(text(call.answer())).isEqualTo(reply.body());
    assertThat(header(call, "appid")).isEqualTo(api.appid());
    assertThat(header(call, "accesstoken")).isEqualTo(api.accesstoken().substring(0, 12) + "…");
    assertThat(header(call, "sign")).hasSize(5).endsWith("…");
  }

  @Test
  void storesNoSecretSentInTheWrongHeader() throws Exception {
    for (String name : List.of("appid", "timestamp", "sign-method", "sign-nonce")) {
      Reply reply = api.call("/Stock/Product").form("page=1").header(name, api.secret()).send();
      Logged.await(merchant, reply);

      RequestLog.Whole call = Objects.requireNonNull(log.find(null, Logged.id(reply)));
      assertThat(header(call, name)).isEqualTo(api.secret().substring(0, 4) + "…");
      assertThat(text(call.answer())).as(name).doesNotContain(api.secret());
      assertThat(call.toString()).as(name).doesNotContain(api.secret());
    }
  }

  @Test
  void showsAMerchantOnlyItsAuthenticatedCalls() throws Exception {
    Api narrow = merchant.token("\"scopes\":[\"stock:read\"]");
    Api revoked = merchant.token("\"boundStore\":\"shop\"");
    Admin.of(TestServer.shared())
        .post("/admin/tokens/revoke", "{\"token\":\"" + revoked.accesstoken() + "\"}");
    Reply scope = narrow.products("page=1");
    Reply fields = api.products("page=x");

    for (Reply seen : List.of(scope, fields)) {
      Logged.await(merchant, seen);
      assertThat(log.find(merchant.id(), Logged.id(seen))).as(seen.body()).isNotNull();
    }
    for (Reply unseen :
        List.of(
            api.withSecret("another").products("page=1"),
            api.call("/Stock/Product").form("page=1").at(1_000_000_000).send(),
            revoked.products("page=1"))) {
      Logged.await(merchant, unseen);
      assertThat(log.find(merchant.id(), Logged.id(unseen))).as(unseen.body()).isNull();
      assertThat(Objects.requireNonNull(log.find(null, Logged.id(unseen))).row().appid())
          .as("the operator sees who it claimed to be")
          .isEqualTo(api.appid());
    }
  }

  @Test
  void showsTheOperatorUnauthenticatedCalls() throws Exception {
    Reply wrongForm = api.call("/Stock/Product").form("page=1").header("sign", "short").send();
    Reply unknown = api.withToken("srt_nobodys").products("page=1");

    Logged.await(merchant, wrongForm);
    assertThat(log.find(merchant.id(), Logged.id(wrongForm))).isNull();
    RequestLog.Whole malformed = Objects.requireNonNull(log.find(null, Logged.id(wrongForm)));
    assertThat(malformed.row().code()).isEqualTo("SIGN_FORMAT");
    assertThat(malformed.body()).as("it was never read").isNull();
    assertThat(malformed.row().outcome()).isEqualTo(RequestLog.Outcome.REJECTED);
    Logged.await(merchant, unknown);
    assertThat(log.find(merchant.id(), Logged.id(unknown))).isNull();
    RequestLog.Whole nobodys = Objects.requireNonNull(log.find(null, Logged.id(unknown)));
    assertThat(nobodys.row().merchantId()).isZero();
  }

  @Test
  void neverShowsAnotherMerchantsCall() throws Exception {
    Reply reply = api.products("page=1");
    Logged.await(merchant, reply);

    int other = TestMerchant.fresh().id();
    assertThat(log.find(other, Logged.id(reply))).isNull();
    assertThat(log.newest(RequestLog.Wanted.all(other), 0, 10)).isEmpty();
  }

  @Test
  void truncatesLongBodiesAndStoresTheirLength() throws Exception {
    String inside = Stock.one(1, "c", "36", 1) + " ".repeat(LoggedCall.MAX_BYTES);
    String exact = inside.substring(0, LoggedCall.MAX_BYTES);

    RequestLog.Whole whole = find(api.create(exact));
    RequestLog.Whole cut = find(api.create(exact + " "));

    assertThat(whole.isBodyCut()).isFalse();
    assertThat(text(whole.body())).isEqualTo(exact);
    assertThat(cut.isBodyCut()).isTrue();
    assertThat(cut.bodyBytes()).isEqualTo(LoggedCall.MAX_BYTES + 1);
    assertThat(text(cut.body())).isEqualTo(exact);
  }

  @Test
  void filtersByPathOutcomeCodeIdAndTime() throws Exception {
    Reply first = api.products("page=1");
    Reply second = api.products("page=x");
    Reply third = api.call("/Usage").send();
    Logged.await(merchant, third);
    Instant past = Instant.now().minusSeconds(600);

    assertThat(ids(wanted("", null, "", "", null)))
        .containsExactly(Logged.id(third), Logged.id(second), Logged.id(first));
    assertThat(ids(wanted("/Usage", null, "", "", null))).containsExactly(Logged.id(third));
    assertThat(ids(wanted("", RequestLog.Outcome.REJECTED, "", "", null)))
        .containsExactly(Logged.id(second));
    assertThat(ids(wanted("", RequestLog.Outcome.SUCCEEDED, "", "", null))).hasSize(2);
    assertThat(ids(wanted("", RequestLog.Outcome.FAILED, "", "", null))).isEmpty();
    assertThat(ids(wanted("", null, "NUMBER_FORMAT", "", null))).containsExactly(Logged.id(second));
    assertThat(ids(wanted("", null, "", Logged.id(first).substring(0, 8), null)))
        .containsExactly(Logged.id(first));
    assertThat(ids(wanted("", null, "", Logged.id(first), null))).containsExactly(Logged.id(first));
    assertThat(ids(wanted("", null, "", Logged.id(first) + "0", null))).isEmpty();
    assertThat(ids(wanted("", null, "", "%", null))).isEmpty();
    assertThat(ids(wanted("", null, "", "", past))).isEmpty();
    RequestLog.Wanted all = RequestLog.Wanted.all(merchant.id());
    List<RequestLog.Row> rows = log.newest(all, 0, 10);
    assertThat(log.newest(all, rows.getFirst().id(), 1)).containsExactly(rows.get(1));
    assertThat(log.since(all, rows.getLast().id(), 10))
        .containsExactly(rows.get(1), rows.getFirst());
  }

  @Test
  void keepsOnlyTheNewestRowsOfAMerchant() throws Exception {
    RequestLogWriter writer = writer("2");
    for (String id : List.of("first", "second", "third")) {
      assertThat(writer.offer(kept(id, Duration.ZERO))).isTrue();
    }

    writer.flush();
    writer.forgetOld(Instant.now());

    assertThat(ids(RequestLog.Wanted.all(merchant.id()))).containsExactly("third", "second");
    assertThat(writer.queued()).isZero();
  }

  @Test
  void deletesCallsAfterTheRetentionTime() throws Exception {
    RequestLogWriter writer = writer("100");
    writer.offer(kept("inside", Duration.ofDays(7).minusMinutes(1)));
    writer.offer(kept("outside", Duration.ofDays(7).plusMinutes(1)));

    writer.flush();
    writer.forgetOld(Instant.now());

    assertThat(ids(RequestLog.Wanted.all(merchant.id()))).containsExactly("inside");
  }

  @Test
  void dropsCallsWhenItsQueueIsFull() {
    RequestLogWriter writer = writer("100");
    int taken = 0;
    while (writer.offer(kept("flood", Duration.ZERO))) {
      taken++;
    }

    assertThat(taken).isEqualTo(2000);
    assertThat(writer.queued()).isEqualTo(2000);
  }

  @Test
  void isOffWithAZeroRowLimit() {
    TestServer off =
        TestServer.with(Map.of("limits.create-interval", "PT0S", "request-log.rows", "0"));
    Reply unlogged = api.on(off).products("page=1");
    Reply logged = api.products("page=1");

    Logged.await(merchant, logged);
    Logged.awaitCalls(merchant, 2);
    assertThat(
            merchant.texts(
                "select request_id from request_log where request_id = '%s'"
                    .formatted(Logged.id(unlogged))))
        .isEmpty();
  }

  private static RequestLogWriter writer(String rows) {
    return new RequestLogWriter(
        TestServer.shared().cells(), Settings.with(Map.of("request-log.rows", rows)));
  }

  private LoggedCall kept(String id, Duration ago) {
    Exchange exchange = new Exchange(id, merchant.id(), 0, "/Usage", 200, "", 1000);
    Exchange.Content content =
        new Exchange.Content("POST", "/Usage", "127.0.0.1", List.of(), null, new byte[] {'{'});
    return LoggedCall.of(Instant.now().minus(ago), exchange, content);
  }

  private RequestLog.Wanted wanted(
      String endpoint,
      RequestLog.@Nullable Outcome outcome,
      String code,
      String id,
      @Nullable Instant until) {
    return new RequestLog.Wanted(merchant.id(), endpoint, outcome, code, id, until);
  }

  private List<String> ids(RequestLog.Wanted wanted) throws Exception {
    return log.newest(wanted, 0, 10).stream().map(RequestLog.Row::requestId).toList();
  }

  private RequestLog.Whole find(Reply reply) throws Exception {
    Logged.await(merchant, reply);
    return Objects.requireNonNull(log.find(merchant.id(), Logged.id(reply)));
  }

  private static String header(RequestLog.Whole call, String name) {
    return call.headers().stream()
        .filter(header -> header.name().equalsIgnoreCase(name))
        .map(Exchange.Header::value)
        .findFirst()
        .orElse("");
  }

  private static String text(byte @Nullable [] bytes) {
    return new String(Objects.requireNonNull(bytes), StandardCharsets.UTF_8);
  }
}
