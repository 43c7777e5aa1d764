package io.stockroom.core.webhooks;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;

/** What became of a call that manages webhooks. */
public sealed interface WebhookResult<T> {
  /** It was done. */
  record Done<T>(T value) implements WebhookResult<T> {}

  /** It was not done, because of this problem. */
  record Rejected<T>(Problem problem) implements WebhookResult<T> {}

  static <T> WebhookResult<T> done(T value) {
    return new Done<>(value);
  }

  static <T> WebhookResult<T> rejected(String at, ErrorCode code, Object... arguments) {
    return new Rejected<>(Problem.of(at, code, arguments));
  }
}
