package io.stockroom.core.webhooks;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of the attempts to deliver to a webhook, newest first. */
public record Deliveries(int page, int totalPages, List<Delivery> deliveries) {
  /**
   * One attempt.
   *
   * @param number 1, 2, 3, … for each webhook
   * @param type changes or test
   * @param attempt 1 for the first attempt to deliver the message
   * @param firstChange null for a test
   * @param lastChange null for a test
   * @param status null if there was no response
   * @param error the word of a {@link DeliveryError}; empty after a 2xx
   * @param detail what went wrong; empty after a 2xx
   */
  public record Delivery(
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
      int millis,
      Message request,
      Message response) {
    public boolean isSuccess() {
      return error.isEmpty();
    }
  }

  /**
   * A request or a response.
   *
   * @param headers one line for each; secrets are masked
   * @param body its beginning; secrets are masked
   */
  public record Message(String headers, String body) {}
}
