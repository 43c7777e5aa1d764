package io.stockroom.client;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A webhook of the merchant.
 *
 * @param id its id
 * @param url where the server delivers to
 * @param kinds the kinds of changes that it receives: {@code stock}, {@code product}
 * @param createdAt when it was created
 * @param state {@code active}, {@code failing} or {@code disabled}
 * @param disabledReason why it is disabled, such as {@code gone} or {@code failures}; empty if it
 *     is not
 * @param cursor everything before this cursor was delivered
 * @param pending how many changes wait for delivery
 * @param attempts the failed attempts to deliver the current message
 * @param nextAttemptAt when the server tries again; null if nothing has failed
 * @param failingSince the first failure since the last success; null if there is none
 * @param previousSecretUntil until when deliveries are also signed with the previous secret; null
 *     if they are not
 */
public record Webhook(
    String id,
    String url,
    List<String> kinds,
    Instant createdAt,
    String state,
    String disabledReason,
    String cursor,
    long pending,
    int attempts,
    @Nullable Instant nextAttemptAt,
    @Nullable Instant failingSince,
    @Nullable Instant previousSecretUntil) {
  /** Copies the list. */
  public Webhook {
    kinds = List.copyOf(kinds);
  }

  static Webhook read(Fields fields) {
    return new Webhook(
        fields.text("id"),
        fields.text("url"),
        fields.texts("kinds"),
        fields.instant("createdAt"),
        fields.text("state"),
        fields.text("disabledReason"),
        fields.text("cursor"),
        fields.count("pending"),
        fields.whole("attempts"),
        fields.instantOrNull("nextAttemptAt"),
        fields.instantOrNull("failingSince"),
        fields.instantOrNull("previousSecretUntil"));
  }
}
