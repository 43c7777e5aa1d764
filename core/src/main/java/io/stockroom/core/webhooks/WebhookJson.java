package io.stockroom.core.webhooks;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Webhooks and deliveries as the interface writes them. */
final class WebhookJson {
  private WebhookJson() {}

  static void secret(JsonGenerator out, Webhooks.WithSecret webhook) {
    out.writeStringProperty("id", webhook.id());
    out.writeStringProperty("secret", webhook.secret());
  }

  static void webhooks(JsonGenerator out, List<Webhook> webhooks) {
    out.writeArrayPropertyStart("webhooks");
    webhooks.forEach(webhook -> webhook(out, webhook));
    out.writeEndArray();
  }

  private static void webhook(JsonGenerator out, Webhook webhook) {
    out.writeStartObject();
    out.writeStringProperty("id", webhook.id());
    out.writeStringProperty("url", webhook.url().toString());
    out.writeArrayPropertyStart("kinds");
    webhook.kinds().forEach(out::writeString);
    out.writeEndArray();
    time(out, "createdAt", webhook.createdAt());
    out.writeStringProperty("state", webhook.state().word());
    Webhook.DisabledReason reason = webhook.disabledReason();
    out.writeStringProperty("disabledReason", reason == null ? "" : reason.word());
    out.writeStringProperty("cursor", webhook.cursor());
    out.writeNumberProperty("pending", webhook.pending());
    out.writeNumberProperty("attempts", webhook.attempts());
    time(out, "nextAttemptAt", webhook.nextAttemptAt());
    time(out, "failingSince", webhook.failingSince());
    time(out, "previousSecretUntil", webhook.previousSecretUntil());
    out.writeEndObject();
  }

  static void deliveries(JsonGenerator out, Deliveries page) {
    out.writeNumberProperty("page", page.page());
    out.writeNumberProperty("totalPages", page.totalPages());
    out.writeArrayPropertyStart("deliveries");
    page.deliveries().forEach(delivery -> delivery(out, delivery));
    out.writeEndArray();
  }

  private static void delivery(JsonGenerator out, Deliveries.Delivery delivery) {
    out.writeStartObject();
    out.writeNumberProperty("number", delivery.number());
    time(out, "at", delivery.at());
    out.writeStringProperty("type", delivery.type());
    out.writeStringProperty("messageId", delivery.messageId());
    out.writeNumberProperty("attempt", delivery.attempt());
    number(out, "firstChange", delivery.firstChange());
    number(out, "lastChange", delivery.lastChange());
    number(out, "status", delivery.status());
    out.writeStringProperty("error", delivery.error());
    out.writeStringProperty("detail", delivery.detail());
    out.writeNumberProperty("millis", delivery.millis());
    message(out, "request", delivery.request());
    message(out, "response", delivery.response());
    out.writeEndObject();
  }

  private static void message(JsonGenerator out, String name, Deliveries.Message message) {
    out.writeObjectPropertyStart(name);
    out.writeArrayPropertyStart("headers");
    for (String line : message.headers().lines().toList()) {
      int colon = line.indexOf(": ");
      out.writeStartObject();
      out.writeStringProperty("name", line.substring(0, Math.max(0, colon)));
      out.writeStringProperty("value", line.substring(colon + 2));
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeStringProperty("body", message.body());
    out.writeEndObject();
  }

  private static void time(JsonGenerator out, String name, @Nullable Instant time) {
    out.writeName(name);
    if (time == null) {
      out.writeNull();
    } else {
      out.writeString(WebhookMessage.text(time));
    }
  }

  private static void number(JsonGenerator out, String name, @Nullable Number number) {
    out.writeName(name);
    if (number == null) {
      out.writeNull();
    } else {
      out.writeNumber(number.longValue());
    }
  }
}
