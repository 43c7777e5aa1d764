package io.stockroom.core.traffic;

import io.stockroom.core.traffic.Traffic.Exchange;
import java.time.Instant;
import java.util.Arrays;

/** A call for the request log, with truncated bodies. */
record LoggedCall(
    Instant at, Exchange exchange, Exchange.Content content, int bodyBytes, int answerBytes) {
  /** The maximum length of a logged body. */
  static final int MAX_BYTES = 16 * 1024;

  private static final int OTHER_BYTES = 2 * 1024;

  static LoggedCall of(Instant at, Exchange exchange, Exchange.Content whole) {
    byte[] body = whole.body();
    Exchange.Content content =
        new Exchange.Content(
            whole.method(),
            whole.path(),
            whole.address(),
            whole.headers(),
            body == null ? null : cut(body),
            cut(whole.answer()));
    return new LoggedCall(
        at, exchange, content, body == null ? 0 : body.length, whole.answer().length);
  }

  /** Its approximate size in memory. */
  int weight() {
    byte[] body = content.body();
    return OTHER_BYTES + (body == null ? 0 : body.length) + content.answer().length;
  }

  private static byte[] cut(byte[] bytes) {
    return bytes.length <= MAX_BYTES ? bytes : Arrays.copyOf(bytes, MAX_BYTES);
  }
}
