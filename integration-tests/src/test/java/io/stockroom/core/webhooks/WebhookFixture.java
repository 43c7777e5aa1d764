package io.stockroom.core.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.WebhookReceiver;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.JsonNode;

/** A merchant that calls, and a receiver of its webhooks. */
abstract class WebhookFixture {
  final TestMerchant merchant = TestMerchant.fresh();
  final Api api = merchant.api();
  final WebhookReceiver receiver = new WebhookReceiver();

  @AfterEach
  void close() {
    receiver.close();
  }

  /** Waits until nothing is left to deliver. */
  void awaitPosition() {
    String behind =
        """
        select 1 from webhook w join log_head h on h.merchant_id = w.merchant_id
        where w.merchant_id = ? and w.position < h.last_change
        """;
    assertThat(Eventually.within(Duration.ofSeconds(30), () -> merchant.texts(behind).isEmpty()))
        .isTrue();
  }

  List<JsonNode> webhooks() {
    return call("List", "").json().get("webhooks").valueStream().toList();
  }

  List<JsonNode> deliveries(JsonNode webhook) {
    String form = "id=" + webhook.get("id").asString();
    return call("Deliveries", form).json().get("deliveries").valueStream().toList();
  }

  Reply create(String fields) {
    return create(receiver.url(), fields);
  }

  Reply create(String url, String fields) {
    return api.call("/Webhook/Create").json("{\"url\":\"" + url + "\"" + fields + "}").send();
  }

  Reply call(String path, String form) {
    return api.call("/Webhook/" + path).form(form).send();
  }
}
