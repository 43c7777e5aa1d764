package io.stockroom.core.webhooks;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.stockroom.core.traffic.Redaction;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Signs and sends messages, and describes each attempt for the delivery log. */
final class Courier {
  private final WebhookSender sender;
  private final Clock clock;
  private final MeterRegistry meters;

  Courier(WebhookSender sender, Clock clock, MeterRegistry meters) {
    this.sender = sender;
    this.clock = clock;
    this.meters = meters;
    // a rate needs the metric before its first event
    var _ = timer(null);
    for (DeliveryError error : DeliveryError.values()) {
      var _ = timer(error);
    }
  }

  /**
   * Makes one attempt.
   *
   * @param attempt 1 for the first one
   */
  DeliveryLog.Attempt send(URI url, List<String> secrets, WebhookMessage message, int attempt) {
    Instant now = clock.instant();
    byte[] body = message.body();
    String id = WebhookIds.message(message.id());
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("webhook-id", id);
    headers.put("webhook-timestamp", Long.toString(now.getEpochSecond()));
    headers.put("webhook-signature", WebhookSecret.sign(secrets, id, now.getEpochSecond(), body));
    WebhookSender.Outcome outcome = sender.send(url, headers, body);
    count(outcome);
    return new DeliveryLog.Attempt(
        now,
        message.type(),
        message.id(),
        attempt,
        message.firstChange(),
        message.lastChange(),
        headers.entrySet().stream()
            .map(each -> each.getKey() + ": " + Redaction.header(each.getKey(), each.getValue()))
            .collect(Collectors.joining("\n")),
        Redaction.text(beginning(body)),
        outcome);
  }

  private void count(WebhookSender.Outcome outcome) {
    timer(outcome.error()).record(outcome.took());
  }

  private Timer timer(@Nullable DeliveryError error) {
    return meters.timer(
        "stockroom.webhook.deliveries", "outcome", error == null ? "success" : error.word());
  }

  /** Cuts between characters. */
  private static String beginning(byte[] body) {
    int end = Math.min(body.length, WebhookSender.MAX_KEPT_BYTES);
    while (end < body.length && (body[end] & 0xc0) == 0x80) {
      end--;
    }
    return new String(body, 0, end, StandardCharsets.UTF_8);
  }
}
