package io.stockroom.core.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import io.stockroom.server.testing.WebhookReceiver;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The calls that manage webhooks, and deliveries of a whole server. */
class WebhookCallsTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final WebhookReceiver receiver = new WebhookReceiver();

  @AfterEach
  void close() {
    receiver.close();
  }

  @Test
  void deliversEveryChangeSignedAndInOrder() {
    JsonNode created = create("").json();
    int pid = merchant.product();
    api.create(Stock.one(pid, "red", "36-37", 20));

    assertThat(Eventually.within(Duration.ofSeconds(30), () -> receiver.numbers().size() >= 2))
        .isTrue();
    assertThat(created.get("id").asString()).matches("wh_[0-9a-f]{32}");
    assertThat(created.get("secret").asString()).matches("whsec_[A-Za-z0-9+/]{43}=");
    assertThat(receiver.numbers()).containsExactly(1L, 2L);
    List<JsonNode> changes =
        receiver.all().stream()
            .flatMap(each -> each.json().at("/data/changes").valueStream())
            .toList();
    assertThat(changes.get(0).get("kind").asString()).isEqualTo("product");
    assertThat(changes.get(0).get("created").asBoolean()).isTrue();
    assertThat(changes.get(1).get("pid").asInt()).isEqualTo(pid);
    assertThat(changes.get(1).get("source").asString()).isEqualTo("interface");
    assertThat(changes.get(1).at("/entries/0/before").isNull()).isTrue();
    assertThat(changes.get(1).at("/entries/0/after").asInt()).isEqualTo(20);
    assertThat(receiver.all())
        .allSatisfy(
            message -> {
              assertThat(message.type()).isEqualTo("changes");
              assertThat(message.json().get("timestamp").asString())
                  .matches("[0-9]{4}-[0-9-]{5}T[0-9:]{8}\\.[0-9]{3}Z");
              assertThat(message.json().at("/data/merchantId").asInt()).isEqualTo(merchant.id());
              assertThat(message.json().at("/data/cursor").asString()).startsWith("c_");
              assertThat(message.header("content-type")).startsWith("application/json");
              assertThat(message.id()).matches("msg_[0-9a-f]{32}");
              assertThat(message.isSignedWith(created.get("secret").asString())).isTrue();
              assertThat(message.isSignedWith("whsec_" + "A".repeat(43) + "=")).isFalse();
            });
    awaitPosition();
    JsonNode delivery = deliveries(created).getLast();
    assertThat(delivery.get("status").asInt()).isEqualTo(204);
    assertThat(delivery.get("error").asString()).isEmpty();
    assertThat(delivery.get("firstChange").asLong()).isEqualTo(1);
    assertThat(delivery.at("/request/body").asString()).startsWith("{\"type\":\"changes\"");
    assertThat(delivery.at("/request/headers").toString())
        .contains(receiver.all().getFirst().id())
        .doesNotContain(receiver.all().getFirst().header("webhook-signature"));
  }

  @Test
  void sendsOnlyTheKindsThatAreWanted() {
    create(",\"kinds\":[\"stock\"]");
    int pid = merchant.product();
    api.create(Stock.one(pid, "red", "36", 1));
    merchant.product();
    api.create(Stock.one(pid, "red", "36", 2));

    assertThat(Eventually.within(Duration.ofSeconds(30), () -> receiver.numbers().size() >= 2))
        .isTrue();
    assertThat(receiver.numbers()).containsExactly(2L, 4L);
    awaitPosition();
    assertThat(webhooks().getFirst().get("pending").asInt()).isZero();
  }

  @Test
  void listsWebhooksWithoutTheirSecrets() {
    JsonNode created = create("").json();

    Reply reply = call("List", "");

    JsonNode listed = reply.json().at("/webhooks/0");
    assertThat(reply.json().get("webhooks")).hasSize(1);
    assertThat(listed.get("id")).isEqualTo(created.get("id"));
    assertThat(listed.get("url").asString()).isEqualTo(receiver.url());
    assertThat(listed.get("kinds").toString()).isEqualTo("[\"stock\",\"product\"]");
    assertThat(listed.get("state").asString()).isEqualTo("active");
    assertThat(listed.get("disabledReason").asString()).isEmpty();
    assertThat(listed.get("nextAttemptAt").isNull()).isTrue();
    assertThat(reply.body()).doesNotContain("whsec_");
    assertThat(merchant.texts("select encode(secret, 'escape') from webhook where merchant_id = ?"))
        .noneMatch(stored -> stored.contains("whsec_"));
  }

  @Test
  void showsNoSecretInTheRequestLog() {
    String secret = create("").json().get("secret").asString();
    String logged =
        """
        select convert_from(answer, 'UTF8') from request_log
        where merchant_id = ? and endpoint = '/Webhook/Create'
        """;

    assertThat(Eventually.within(Duration.ofSeconds(30), () -> !merchant.texts(logged).isEmpty()))
        .isTrue();
    assertThat(merchant.texts(logged).getFirst())
        .contains("\"secret\"")
        .doesNotContain(secret.substring(0, 12));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | url | FIELD_MISSING",
        "[] | '' | FIELD_TYPE",
        "{\"url\":7} | url | FIELD_TYPE",
        "{\"URL\":\"https://a.example\"} | URL | FIELD_MISSPELLED",
        "{\"url\":\"\"} | url | WEBHOOK_URL",
        "{\"url\":\"ftp://a.example/\"} | url | WEBHOOK_URL",
        "{\"url\":\"//a.example/\"} | url | WEBHOOK_URL",
        "{\"url\":\"https://\"} | url | WEBHOOK_URL",
        "{\"url\":\"https://u:p@a.example/\"} | url | WEBHOOK_URL",
        "{\"url\":\"https://a.example/#f\"} | url | WEBHOOK_URL",
        "{\"url\":\"https://a.example:25/\"} | url | WEBHOOK_URL",
        "{\"url\":\"https://a.example:1023/\"} | url | WEBHOOK_URL",
        "{\"url\":\"https://a.example:65536/\"} | url | WEBHOOK_URL",
        "{\"url\":\"https://鞋.example/\"} | url | WEBHOOK_URL",
        "{\"url\":\"https://a b.example/\"} | url | WEBHOOK_URL",
        "{\"url\":\"https://nowhere.invalid/\"} | url | WEBHOOK_HOST",
        "{\"url\":\"https://a.example\",\"kinds\":[]} | kinds | LIST_EMPTY",
        "{\"url\":\"https://a.example\",\"kinds\":\"stock\"} | kinds | FIELD_TYPE",
        "{\"url\":\"https://a.example\",\"kinds\":[\"price\"]} | kinds[0] | WEBHOOK_KIND",
        "{\"url\":\"https://a.example\",\"kind\":[\"stock\"]} | kind | FIELD_MISSPELLED",
        "{\"url\":\"https://a.example\" | '' | JSON_BROKEN"
      })
  void rejectsAWebhookThatCannotBe(String body, String place, String code) {
    Reply reply = api.call("/Webhook/Create").json(body).send();

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.places()).containsExactly(place);
    assertThat(reply.codes()).containsExactly(code);
    assertThat(webhooks()).isEmpty();
  }

  @Test
  void limitsTheLengthOfTheUrl() {
    String url = receiver.url() + "?" + "x".repeat(2048 - receiver.url().length() - 1);

    assertThat(create(url, "").success()).isTrue();
    assertThat(create(url + "x", "").codes()).containsExactly("TEXT_TOO_LONG");
  }

  @Test
  void allows20WebhooksForAMerchant() {
    List<Reply> replies = IntStream.range(0, 21).mapToObj(_ -> create("")).toList();

    assertThat(replies.subList(0, 20)).allMatch(Reply::success);
    assertThat(replies.getLast().status()).isEqualTo(200);
    assertThat(replies.getLast().codes()).containsExactly("WEBHOOKS_TOO_MANY");
    call("Delete", "id=" + replies.getFirst().json().get("id").asString());
    assertThat(create("").success()).isTrue();
  }

  @Test
  void answersFormsQueriesAndJsonAlike() {
    String id = create("").json().get("id").asString();

    assertThat(call("Deliveries", "id=" + id).success()).isTrue();
    assertThat(api.call("/Webhook/Deliveries").query("id=" + id + "&page=2").send().success())
        .isTrue();
    assertThat(
            api.call("/webhook/deliveries")
                .json("{\"id\":\"%s\",\"page\":1}".formatted(id))
                .send()
                .success())
        .isTrue();
    assertThat(call("Deliveries", "id=" + id + "&page=0").codes()).containsExactly("NUMBER_FORMAT");
    assertThat(
            api.call("/Webhook/Delete").query("id=wh_1").json("{\"id\":\"wh_2\"}").send().codes())
        .containsExactly("FIELD_CONFLICT");
    for (String path : List.of("Delete", "Test", "Deliveries", "Rotate", "Enable", "Disable")) {
      assertThat(call(path, "").codes()).as(path).containsExactly("FIELD_MISSING");
    }
    assertThat(call("Replay", "").places()).containsExactly("id", "after");
  }

  @Test
  void anotherMerchantsWebhookLooksMissing() {
    String id = create("").json().get("id").asString();
    Api stranger = TestMerchant.fresh().api();

    for (String path :
        List.of("Delete", "Test", "Replay", "Deliveries", "Rotate", "Enable", "Disable")) {
      Reply others = stranger.call("/Webhook/" + path).form("id=" + id + "&after=latest").send();
      String unknown = "wh_" + "0".repeat(32);
      Reply missing =
          stranger.call("/Webhook/" + path).form("id=" + unknown + "&after=latest").send();
      assertThat(others.codes()).as(path).containsExactly("WEBHOOK_MISSING");
      assertThat(others.header("x-error-code")).hasValue("WEBHOOK_MISSING");
      assertThat(others.body().replace(id, "N")).isEqualTo(missing.body().replace(unknown, "N"));
    }
    assertThat(stranger.call("/Webhook/List").form("").send().body()).contains("\"webhooks\":[]");
    assertThat(webhooks()).hasSize(1);
    assertThat(receiver.all()).isEmpty();
  }

  @Test
  void deletesAWebhookAndItsDeliveries() {
    String id = create("").json().get("id").asString();
    call("Test", "id=" + id);

    assertThat(call("Delete", "id=" + id).body()).isEqualTo("{\"success\":true,\"msg\":\"\"}");

    assertThat(webhooks()).isEmpty();
    assertThat(merchant.texts("select 1 from webhook_delivery where merchant_id = ?")).isEmpty();
    assertThat(call("Delete", "id=" + id).codes()).containsExactly("WEBHOOK_MISSING");
  }

  @Test
  void testsAReceiver() {
    JsonNode created = create("").json();
    String id = created.get("id").asString();

    assertThat(call("Test", "id=" + id).success()).isTrue();
    receiver.answer(500);
    Reply failed = call("Test", "id=" + id);
    call("Disable", "id=" + id);
    receiver.answer(200);
    assertThat(call("Test", "id=" + id).success()).isTrue();

    assertThat(failed.status()).isEqualTo(200);
    assertThat(failed.codes()).containsExactly("WEBHOOK_TEST_FAILED");
    assertThat(failed.msg()).contains("the receiver answered 500");
    assertThat(receiver.all()).hasSize(3);
    assertThat(receiver.all())
        .allSatisfy(
            message -> {
              assertThat(message.type()).isEqualTo("test");
              assertThat(message.json().at("/data/changes")).isEmpty();
              assertThat(message.isSignedWith(created.get("secret").asString())).isTrue();
            });
    assertThat(deliveries(created))
        .extracting(each -> each.get("type").asString() + " " + each.get("status").asInt())
        .containsExactly("test 200", "test 500", "test 204");
    assertThat(api.call("/Webhook/Test").form("id=" + id).language("zh").send().msg()).isEmpty();
  }

  @Test
  void replaysFromACursorWithNewMessageIds() {
    JsonNode created = create("").json();
    String id = created.get("id").asString();
    String start = webhooks().getFirst().get("cursor").asString();
    merchant.products(3);
    receiver.await(1);
    awaitPosition();
    List<String> ids = receiver.all().stream().map(WebhookReceiver.Received::id).toList();

    assertThat(call("Replay", "id=" + id + "&after=" + start).success()).isTrue();

    receiver.await(ids.size() + 1);
    awaitPosition();
    assertThat(receiver.numbers()).startsWith(1L, 2L, 3L, 1L).hasSize(6);
    assertThat(receiver.all().getLast().id()).isNotIn(ids);
    assertThat(call("Replay", "id=" + id + "&after=c_x").codes()).containsExactly("CURSOR_FORMAT");
    assertThat(call("Replay", "id=" + id + "&after=c_x").status()).isEqualTo(400);
    TestMerchant other = TestMerchant.fresh();
    other.api().call("/Webhook/Create").json("{\"url\":\"%s\"}".formatted(receiver.url())).send();
    String foreign =
        other
            .api()
            .call("/Webhook/List")
            .form("")
            .send()
            .json()
            .at("/webhooks/0/cursor")
            .asString();
    assertThat(call("Replay", "id=" + id + "&after=" + foreign).codes())
        .containsExactly("CURSOR_FORMAT");
  }

  @Test
  void saysThatACursorIsTooOld() {
    String id = create("").json().get("id").asString();
    String start = webhooks().getFirst().get("cursor").asString();
    merchant.products(2);
    receiver.await(1);
    awaitPosition();
    merchant.texts(
        "delete from change_log where merchant_id = ? and number = 1 returning merchant_id");

    Reply reply = call("Replay", "id=" + id + "&after=" + start);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.codes()).containsExactly("CURSOR_EXPIRED");
    assertThat(reply.header("x-error-code")).hasValue("CURSOR_EXPIRED");
  }

  @Test
  void signsWithBothSecretsDuringARotation() {
    JsonNode created = create("").json();
    String id = created.get("id").asString();

    JsonNode rotated = call("Rotate", "id=" + id).json();
    call("Test", "id=" + id);
    merchant.texts(
        "update webhook set previous_until = now() where merchant_id = ? returning merchant_id");
    call("Test", "id=" + id);

    String former = created.get("secret").asString();
    String present = rotated.get("secret").asString();
    assertThat(present).isNotEqualTo(former);
    assertThat(receiver.all().get(0).header("webhook-signature")).contains(" v1,");
    assertThat(receiver.all().get(0).isSignedWith(former)).isTrue();
    assertThat(receiver.all().get(0).isSignedWith(present)).isTrue();
    assertThat(receiver.all().get(1).isSignedWith(former)).isFalse();
    assertThat(receiver.all().get(1).isSignedWith(present)).isTrue();
  }

  @Test
  void survivesARotationOfTheServersKey() {
    JsonNode created = create("").json();
    call("Rotate", "id=" + created.get("id").asString());
    List<String> before =
        merchant.texts("select encode(secret, 'hex') from webhook where merchant_id = ?");

    assertThat(Admin.of(TestServer.shared()).post("/admin/keys/rotate", "").status())
        .isEqualTo(200);

    assertThat(merchant.texts("select encode(secret, 'hex') from webhook where merchant_id = ?"))
        .isNotEqualTo(before);
    assertThat(call("Test", "id=" + created.get("id").asString()).success()).isTrue();
    assertThat(receiver.all().getFirst().isSignedWith(created.get("secret").asString())).isTrue();
  }

  @Test
  void aDisabledWebhookReceivesItsChangesWhenItIsEnabled() {
    String id = create("").json().get("id").asString();
    call("Disable", "id=" + id);
    merchant.products(2);
    JsonNode disabled = webhooks().getFirst();

    call("Enable", "id=" + id);

    assertThat(disabled.get("state").asString()).isEqualTo("disabled");
    assertThat(disabled.get("disabledReason").asString()).isEqualTo("request");
    assertThat(disabled.get("pending").asInt()).isEqualTo(2);
    receiver.await(1);
    awaitPosition();
    assertThat(receiver.numbers()).containsExactly(1L, 2L);
    assertThat(webhooks().getFirst().get("state").asString()).isEqualTo("active");
  }

  @Test
  void isInTheAuditLogWithoutTheQueryOfTheUrl() {
    String id = create(receiver.url() + "?token=hidden", "").json().get("id").asString();
    call("Rotate", "id=" + id);
    call("Disable", "id=" + id);
    call("Disable", "id=" + id);
    call("Enable", "id=" + id);
    call("Replay", "id=" + id + "&after=latest");
    call("Test", "id=" + id);
    call("Delete", "id=" + id);

    assertThat(
            merchant.texts(
                "select action from audit where merchant_id = ? and action like 'webhook.%'"
                    + " order by number"))
        .containsExactly(
            "webhook.create",
            "webhook.rotate",
            "webhook.disable",
            "webhook.enable",
            "webhook.replay",
            "webhook.test",
            "webhook.delete");
    assertThat(
            merchant.texts(
                "select subject || details || actor from audit where merchant_id = ?"
                    + " and action like 'webhook.%'"))
        .allSatisfy(
            text ->
                assertThat(text)
                    .contains(id, "application " + api.appid())
                    .doesNotContain("hidden", "whsec_"));
  }

  @Test
  void changesOfAllNodesArriveInOrder() {
    create("");
    int pid = merchant.product();
    List<TestServer> nodes = Nodes.three();
    for (int i = 0; i < 30; i++) {
      assertThat(api.on(nodes.get(i % 3)).create(Stock.one(pid, "red", "36", i + 1)).success())
          .isTrue();
    }

    assertThat(Eventually.within(Duration.ofSeconds(30), () -> receiver.numbers().size() >= 31))
        .isTrue();
    awaitPosition();
    assertThat(receiver.numbers())
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 31).mapToObj(number -> (long) number).toList());
  }

  /** Waits until nothing is left to deliver. */
  private void awaitPosition() {
    String behind =
        """
        select 1 from webhook w join log_head h on h.merchant_id = w.merchant_id
        where w.merchant_id = ? and w.position < h.last_change
        """;
    assertThat(Eventually.within(Duration.ofSeconds(30), () -> merchant.texts(behind).isEmpty()))
        .isTrue();
  }

  private List<JsonNode> webhooks() {
    return call("List", "").json().get("webhooks").valueStream().toList();
  }

  private List<JsonNode> deliveries(JsonNode webhook) {
    String form = "id=" + webhook.get("id").asString();
    return call("Deliveries", form).json().get("deliveries").valueStream().toList();
  }

  private Reply create(String fields) {
    return create(receiver.url(), fields);
  }

  private Reply create(String url, String fields) {
    return api.call("/Webhook/Create").json("{\"url\":\"" + url + "\"" + fields + "}").send();
  }

  private Reply call(String path, String form) {
    return api.call("/Webhook/" + path).form(form).send();
  }
}
