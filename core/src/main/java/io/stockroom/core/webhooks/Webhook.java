package io.stockroom.core.webhooks;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A webhook as people see it; its secret is shown only when it is created or rotated.
 *
 * @param id {@code wh_} and 32 hexadecimal characters
 * @param kinds the kinds of changes that it wants: stock, product
 * @param cursor everything before this cursor was delivered
 * @param pending how many changes wait for delivery, wanted or not
 * @param attempts failed attempts to deliver the current batch
 * @param nextAttemptAt when the current batch is retried; null if nothing has failed
 * @param failingSince the first failure since the last success; null if there is none
 * @param disabledReason null unless it is disabled
 * @param previousSecretUntil until when deliveries are also signed with the previous secret; null
 *     if they are not
 */
public record Webhook(
    String id,
    URI url,
    List<String> kinds,
    Instant createdAt,
    State state,
    String cursor,
    long pending,
    int attempts,
    @Nullable Instant nextAttemptAt,
    @Nullable Instant failingSince,
    @Nullable DisabledReason disabledReason,
    @Nullable Instant previousSecretUntil) {
  /** Whether it receives changes. */
  public enum State {
    ACTIVE,
    /** The last delivery failed; it is retried. */
    FAILING,
    DISABLED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static State of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** Why it is disabled. */
  public enum DisabledReason {
    /** The receiver answered 410 Gone. */
    GONE,
    /** No delivery succeeded for five days. */
    FAILURES,
    /** The next change is no longer kept. */
    EXPIRED,
    /** Somebody disabled it. */
    REQUEST,
    /** The database was restored from a backup. */
    RESTORED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static DisabledReason of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** The URL without its query string, which may contain a secret. */
  public String shownUrl() {
    return shown(url);
  }

  static String shown(URI url) {
    String text = url.toString();
    int query = text.indexOf('?');
    return query < 0 ? text : text.substring(0, query) + "?…";
  }
}
