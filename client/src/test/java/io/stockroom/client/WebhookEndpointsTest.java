package io.stockroom.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WebhookEndpointsTest {
  private static final String DONE = "{\"success\":true,\"msg\":\"\"}";
  private static final String SECRET =
      "{\"success\":true,\"msg\":\"\",\"id\":\"wh_1\",\"secret\":\"whsec_AAAA\"}";

  private final ScriptedServer server = new ScriptedServer();
  private final StockroomClient client = new FakeTime().client(server, 0).build();

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private List<String> sent() {
    return server.received().stream().map(one -> one.path() + " " + one.body()).toList();
  }

  @Test
  void createsAndHidesTheSecret() {
    server.json(200, SECRET).json(200, SECRET);
    WebhookCredentials created = client.webhooks().create("https://erp.example/hook");
    client.webhooks().create("https://erp.example/hook", List.of(ChangeKind.STOCK));
    assertThat(created.secret()).isEqualTo("whsec_AAAA");
    assertThat(created.toString()).contains("wh_1").doesNotContain("AAAA");
    assertThat(sent())
        .containsExactly(
            "/Webhook/Create {\"url\":\"https://erp.example/hook\",\"kinds\":[\"stock\",\"product\"]}",
            "/Webhook/Create {\"url\":\"https://erp.example/hook\",\"kinds\":[\"stock\"]}");
  }

  @Test
  void listsWebhooks() {
    server.json(
        200,
        """
        {"success":true,"msg":"","webhooks":[{"id":"wh_1","url":"https://erp.example/","kinds":["stock"],
        "createdAt":"2026-11-16T03:00:00.123Z","state":"failing","disabledReason":"","cursor":"c_1",
        "pending":3,"attempts":2,"nextAttemptAt":"2026-11-16T03:05:00.000Z","failingSince":null,
        "previousSecretUntil":null}]}""");
    assertThat(client.webhooks().list())
        .containsExactly(
            new Webhook(
                "wh_1",
                "https://erp.example/",
                List.of("stock"),
                Instant.parse("2026-11-16T03:00:00.123Z"),
                "failing",
                "",
                "c_1",
                3,
                2,
                Instant.parse("2026-11-16T03:05:00Z"),
                null,
                null));
  }

  @Test
  void changesWebhooks() {
    server.json(200, DONE).json(200, DONE).json(200, DONE).json(200, DONE).json(200, DONE);
    server.json(200, SECRET).rejection(200, "id", "WEBHOOK_TEST_FAILED");
    WebhookEndpoints webhooks = client.webhooks();
    webhooks.test("wh_1");
    webhooks.disable("wh_1");
    webhooks.enable("wh_1");
    webhooks.replay("wh_1", "c_0");
    webhooks.delete("wh_1");
    assertThat(webhooks.rotate("wh_1").secret()).isEqualTo("whsec_AAAA");
    assertThatThrownBy(() -> webhooks.test("wh_1")).isInstanceOf(RejectedException.class);
    assertThat(sent().subList(0, 6))
        .containsExactly(
            "/Webhook/Test id=wh_1",
            "/Webhook/Disable id=wh_1",
            "/Webhook/Enable id=wh_1",
            "/Webhook/Replay id=wh_1&after=c_0",
            "/Webhook/Delete id=wh_1",
            "/Webhook/Rotate id=wh_1");
  }

  @Test
  void updatesOnlyWhatIsGiven() {
    server.json(200, DONE).json(200, DONE);
    client.webhooks().update("wh_1", "https://shop.example/2");
    client.webhooks().update("wh_1", List.of(ChangeKind.STOCK));
    assertThat(sent())
        .containsExactly(
            "/Webhook/Update {\"id\":\"wh_1\",\"url\":\"https://shop.example/2\"}",
            "/Webhook/Update {\"id\":\"wh_1\",\"kinds\":[\"stock\"]}");
  }

  @Test
  void readsDeliveriesPageByPage() {
    String delivery =
        """
        {"success":true,"msg":"","page":%1$d,"totalPages":2,"deliveries":[{"number":%1$d,
        "at":"2026-11-16T03:00:00.123Z","type":"test","messageId":"msg_1","attempt":1,
        "firstChange":null,"lastChange":null,"status":500,"error":"status","detail":"500","millis":12,
        "request":{"headers":[{"name":"webhook-id","value":"msg_1"}],"body":"{}"},
        "response":{"headers":[],"body":""}}]}""";
    server.json(200, delivery.formatted(1)).json(200, delivery.formatted(2));
    List<WebhookDelivery> deliveries = client.webhooks().deliveries("wh_1").toList();
    assertThat(deliveries).extracting(WebhookDelivery::number).containsExactly(1L, 2L);
    assertThat(deliveries.get(0).succeeded()).isFalse();
    assertThat(deliveries.get(0).duration()).isEqualTo(Duration.ofMillis(12));
    assertThat(deliveries.get(0).request().headers())
        .containsExactly(new WebhookDelivery.Header("webhook-id", "msg_1"));
    assertThat(sent())
        .containsExactly(
            "/Webhook/Deliveries id=wh_1&page=1", "/Webhook/Deliveries id=wh_1&page=2");
  }
}
