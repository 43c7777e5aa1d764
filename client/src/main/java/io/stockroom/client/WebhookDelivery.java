package io.stockroom.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to deliver a message to a webhook.
 *
 * @param number 1, 2, 3, … for each webhook
 * @param at when it was made
 * @param type {@code changes} or {@code test}
 * @param messageId the header {@code webhook-id}
 * @param attempt 1 for the first attempt to deliver the message
 * @param firstChange the number of the first change in it; null for a test
 * @param lastChange the number of the last change in it; null for a test
 * @param status the receiver's HTTP status; null if it did not respond
 * @param error the code of the error; empty after a success
 * @param detail what went wrong; empty after a success
 * @param duration how long it took
 * @param request what the server sent
 * @param response what the receiver responded
 */
public record WebhookDelivery(
    long number,
    Instant at,
    String type,
    String messageId,
    int attempt,
    @Nullable Long firstChange,
    @Nullable Long lastChange,
    @Nullable Integer status,
    String error,
    String detail,
    Duration duration,
    Message request,
    Message response) {
  /**
   * A request or a response; the server masks secrets and cuts long bodies.
   *
   * @param headers its headers
   * @param body the beginning of its body
   */
  public record Message(List<Header> headers, String body) {
    /** Copies the list. */
    public Message {
      headers = List.copyOf(headers);
    }

    private static Message read(Fields fields) {
      return new Message(
          fields.list("headers", header -> new Header(header.text("name"), header.text("value"))),
          fields.text("body"));
    }
  }

  /**
   * A header.
   *
   * @param name its name
   * @param value its value
   */
  public record Header(String name, String value) {}

  /** {@return whether the receiver accepted the message} */
  public boolean succeeded() {
    return error.isEmpty();
  }

  static WebhookDelivery read(Fields fields) {
    return new WebhookDelivery(
        fields.count("number"),
        fields.instant("at"),
        fields.text("type"),
        fields.text("messageId"),
        fields.whole("attempt"),
        fields.wholeOrNull("firstChange"),
        fields.wholeOrNull("lastChange"),
        fields.intOrNull("status"),
        fields.text("error"),
        fields.text("detail"),
        Duration.ofMillis(fields.count("millis")),
        Message.read(fields.object("request")),
        Message.read(fields.object("response")));
  }
}
