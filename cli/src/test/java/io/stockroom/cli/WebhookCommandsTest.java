package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookCommandsTest {
  private static final String SECRET =
      "{\"success\":true,\"msg\":\"\",\"id\":\"wh_1\",\"secret\":\"whsec_x=\"}";

  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void createsAWebhookAndShowsTheSecretOnce() {
    server.on("POST", "/Webhook/Create", 200, SECRET);

    Program.Run run =
        Program.calling(server)
            .run("webhook", "create", "https://shop.example/in", "--kind", "stock");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            id:            wh_1
            secret:        whsec_x=
            Store the secret now; it is not shown again.
            """);
    assertThat(server.last().body())
        .isEqualTo("{\"url\":\"https://shop.example/in\",\"kinds\":[\"stock\"]}");
    assertThat(server.last().header("Content-Type")).isEqualTo("application/json");
  }

  @Test
  void leavesTheKindsToTheServerByDefault() {
    server.on("POST", "/Webhook/Create", 200, SECRET);

    Program.Run run =
        Program.calling(server).run("webhook", "create", "https://a.example", "--json");

    assertThat(run.json().path("secret").asString()).isEqualTo("whsec_x=");
    assertThat(server.last().body()).isEqualTo("{\"url\":\"https://a.example\"}");
  }

  @Test
  void printsTheReasonOfARejection() {
    server.on("POST", "/Webhook/Create", 400, "{\"success\":false,\"msg\":\"url: not public\"}");

    Program.Run run = Program.calling(server).run("webhook", "create", "http://10.0.0.1");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("url: not public\n");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void listsWebhooksAndSaysWhatToDo() {
    server.on(
        "POST",
        "/Webhook/List",
        200,
        """
        {"success":true,"msg":"","webhooks":[
        {"id":"wh_1","url":"https://a.example","kinds":["stock","product"],"state":"active","pending":0},
        {"id":"wh_2","url":"https://b.example","kinds":["stock"],"state":"failing","pending":12,
         "failingSince":"2026-01-02T03:04:00Z","nextAttemptAt":"2026-01-02T03:09:00Z"},
        {"id":"wh_3","url":"https://c.example","kinds":["stock"],"state":"disabled","pending":7,
         "disabledReason":"gone"}]}""");

    assertThat(Program.calling(server).run("webhook", "list").out())
        .isEqualTo(
            """
            ID    STATE     KINDS          PENDING  URL
            wh_1  active    stock,product        0  https://a.example
            wh_2  failing   stock               12  https://b.example
            wh_3  disabled  stock                7  https://c.example
            wh_2 fails since 2026-01-02 03:04Z; next attempt 2026-01-02 03:09Z. See: stockroom webhook deliveries wh_2
            wh_3 is disabled: the receiver answered 410 Gone. Enable it with: stockroom webhook enable wh_3
            """);
  }

  @Test
  void saysWhenThereAreNone() {
    server.on("POST", "/Webhook/List", 200, "{\"success\":true,\"webhooks\":[]}");
    server.on("POST", "/Webhook/Deliveries", 200, "{\"success\":true,\"deliveries\":[]}");

    assertThat(Program.calling(server).run("webhook", "list").out())
        .isEqualTo("No webhooks. Create one with: stockroom webhook create URL\n");
    assertThat(Program.calling(server).run("webhook", "deliveries", "wh_1").out())
        .isEqualTo("No deliveries. Try one with: stockroom webhook test ID\n");
  }

  @Test
  void listsDeliveries() {
    server.on(
        "POST",
        "/Webhook/Deliveries",
        200,
        """
        {"success":true,"msg":"","page":2,"totalPages":3,"deliveries":[
        {"number":22,"at":"2026-01-02T03:04:05Z","type":"changes","attempt":2,"firstChange":5,
         "lastChange":9,"status":500,"error":"status","detail":"500","millis":31},
        {"number":21,"at":"2026-01-02T03:04:00Z","type":"changes","attempt":1,"firstChange":5,
         "lastChange":5,"status":null,"error":"timeout","detail":"late","millis":15000},
        {"number":20,"at":"2026-01-02T03:03:00Z","type":"test","attempt":1,"firstChange":null,
         "lastChange":null,"status":204,"error":"","detail":"","millis":8}]}""");

    Program.Run run = Program.calling(server).run("webhook", "deliveries", "wh_1", "--page=2");

    assertThat(run.out())
        .isEqualTo(
            """
            NUMBER  TIME                  TYPE     ATTEMPT  CHANGES     MS  RESULT
                22  2026-01-02 03:04:05Z  changes        2  5-9         31  500
                21  2026-01-02 03:04Z     changes        1  5        15000  timeout
                20  2026-01-02 03:03Z     test           1  -            8  204
            Page 2 of 3.
            """);
    assertThat(server.last().body().split("&")).containsExactlyInAnyOrder("id=wh_1", "page=2");
  }

  @ParameterizedTest
  @CsvSource({
    "test, /Webhook/Test, The receiver accepted the test message.",
    "enable, /Webhook/Enable, Webhook wh_1 is enabled.",
    "disable, /Webhook/Disable, Webhook wh_1 is disabled.",
    "delete, /Webhook/Delete, Webhook wh_1 is deleted.",
    "rotate, /Webhook/Rotate, secret:        whsec_x="
  })
  void callsTheInterface(String command, String path, String said) {
    server.on("POST", path, 200, SECRET);

    Program.Run run = Program.calling(server).run("webhook", command, "wh_1");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains(said);
    assertThat(server.last().body()).isEqualTo("id=wh_1");
  }

  @Test
  void replaysAfterACursor() {
    server.on("POST", "/Webhook/Replay", 200, "{\"success\":true,\"msg\":\"\"}");

    Program.Run run = Program.calling(server).run("webhook", "replay", "wh_1", "--after", "latest");

    assertThat(run.out()).isEqualTo("Webhook wh_1 now delivers the changes after latest.\n");
    assertThat(server.last().body().split("&"))
        .containsExactlyInAnyOrder("id=wh_1", "after=latest");
    assertThat(Program.calling(server).run("webhook", "replay", "wh_1").exitCode()).isEqualTo(2);
  }
}
