package io.stockroom.client;

import java.time.Instant;
import java.util.List;

/**
 * A verified webhook delivery.
 *
 * @param id the id of the message; the same for every attempt to deliver it
 * @param type {@code changes}; a newer server may send others
 * @param timestamp when the message was made
 * @param merchantId the merchant
 * @param cursor where {@link StockroomClient#changes(String)} continues after these changes; empty
 *     in messages of other types
 * @param changes the changes in order; empty in messages of other types
 */
public record WebhookMessage(
    String id,
    String type,
    Instant timestamp,
    int merchantId,
    String cursor,
    List<Change> changes) {
  private static final String CHANGES = "changes";

  /** Copies the list. */
  public WebhookMessage {
    changes = List.copyOf(changes);
  }

  static WebhookMessage read(String id, Fields fields) {
    String type = fields.text("type");
    Fields data = fields.object("data");
    boolean isChanges = type.equals(CHANGES);
    return new WebhookMessage(
        id,
        type,
        fields.instant("timestamp"),
        data.whole("merchantId"),
        isChanges ? data.text("cursor") : "",
        isChanges ? ChangePage.changes(data) : List.of());
  }
}
