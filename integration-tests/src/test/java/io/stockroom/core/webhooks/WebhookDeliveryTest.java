package io.stockroom.core.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
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
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Deliveries of a whole server. */
class WebhookDeliveryTest extends WebhookFixture {
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
}
