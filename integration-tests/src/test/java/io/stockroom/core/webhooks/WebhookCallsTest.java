package io.stockroom.core.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The calls that manage webhooks. */
class WebhookCallsTest extends WebhookFixture {
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
        "{\"url\":\"https://nowhere.invalid/\"} | url | WEBHOOK_ADDRESS",
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
  void updatesAddressAndKindsAndKeepsSecretAndPosition() {
    JsonNode created = create("").json();
    String id = created.get("id").asString();
    merchant.products(1);
    JsonNode before = webhooks().get(0);
    List<String> secret =
        merchant.texts("select encode(secret, 'hex') from webhook where merchant_id = ?");

    Reply kinds = update("{\"id\":\"%s\",\"kinds\":[\"stock\"]}".formatted(id));
    Reply url = update("{\"id\":\"%s\",\"url\":\"%s/2\"}".formatted(id, receiver.url()));

    assertThat(kinds.body()).isEqualTo("{\"success\":true,\"msg\":\"\"}");
    assertThat(url.success()).isTrue();
    JsonNode after = webhooks().get(0);
    assertThat(after.get("kinds").toString()).isEqualTo("[\"stock\"]");
    assertThat(after.get("url").asString()).isEqualTo(receiver.url() + "/2");
    assertThat(after.get("createdAt")).isEqualTo(before.get("createdAt"));
    assertThat(merchant.texts("select encode(secret, 'hex') from webhook where merchant_id = ?"))
        .isEqualTo(secret);
    assertThat(update("{\"id\":\"%s\"}".formatted(id)).success()).isTrue();
    assertThat(
            merchant.texts(
                "select details from audit where merchant_id = ? and action = 'webhook.update'"))
        .hasSize(2);
  }

  @Test
  void rejectsAnUpdateThatCannotBe() {
    String id = create("").json().get("id").asString();

    assertThat(update("{}").places()).containsExactly("id");
    assertThat(update("{\"id\":\"%s\",\"urls\":\"x\"}".formatted(id)).codes())
        .containsExactly("FIELD_MISSPELLED");
    assertThat(update("{\"id\":\"%s\",\"kinds\":[]}".formatted(id)).codes())
        .containsExactly("LIST_EMPTY");
    assertThat(update("{\"id\":\"%s\",\"url\":\"ftp://a.example/\"}".formatted(id)).codes())
        .containsExactly("WEBHOOK_URL");
    assertThat(update("{\"id\":\"wh_%s\"}".formatted("0".repeat(32))).codes())
        .containsExactly("WEBHOOK_MISSING");
    assertThat(
            TestMerchant.fresh()
                .api()
                .call("/Webhook/Update")
                .json("{\"id\":\"%s\"}".formatted(id))
                .send()
                .codes())
        .containsExactly("WEBHOOK_MISSING");
    assertThat(webhooks().get(0).get("url").asString()).isEqualTo(receiver.url());
  }

  private Reply update(String json) {
    return api.call("/Webhook/Update").json(json).send();
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
}
