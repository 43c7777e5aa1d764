package io.stockroom.client;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Options of a single call that changes something.
 *
 * @param idempotencyKey the key by which the server recognizes a repeated request: 1 to 64 visible
 *     ASCII characters; null for none
 * @param timeout the timeout of one attempt; null for the client's
 */
public record CallOptions(@Nullable String idempotencyKey, @Nullable Duration timeout) {
  /** No options. */
  public static final CallOptions NONE = new CallOptions(null, null);

  private static final int MAX_CHARACTERS = 64;

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if the server would reject the key, or the timeout is not
   *     positive
   */
  public CallOptions {
    if (idempotencyKey != null
        && !(idempotencyKey.length() <= MAX_CHARACTERS && idempotencyKey.matches("[!-~]+"))) {
      throw new IllegalArgumentException(
          "An idempotency key has 1 to %d visible ASCII characters, no spaces: \"%s\""
              .formatted(MAX_CHARACTERS, idempotencyKey));
    }
    if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
      throw new IllegalArgumentException("timeout must be positive, not " + timeout);
    }
  }

  /**
   * Makes a call idempotent. Within 24 hours, the server answers a request with the same key and
   * the same content with its first response and changes nothing. So you can repeat a call after a
   * crash: store the key before the first attempt.
   *
   * @param key such as the number of an order: 1 to 64 visible ASCII characters
   * @return the options
   * @throws IllegalArgumentException if the server would reject the key
   */
  public static CallOptions idempotencyKey(String key) {
    return new CallOptions(key, null);
  }

  /**
   * Sets the timeout of one attempt of this call.
   *
   * @param perAttempt the timeout
   * @return these options with the timeout
   */
  public CallOptions withTimeout(Duration perAttempt) {
    return new CallOptions(idempotencyKey, perAttempt);
  }

  /** These options, or a random key if there is none, so that a lost response can be recovered. */
  CallOptions orRandomKey() {
    return idempotencyKey == null ? new CallOptions(UUID.randomUUID().toString(), timeout) : this;
  }

  /** The options of one of several requests: each one needs its own key. */
  CallOptions part(int index) {
    return idempotencyKey == null || index == 0
        ? this
        : new CallOptions(idempotencyKey + "." + index, timeout);
  }
}
