package io.stockroom.core.limits;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How much of a limit is used: facts for the headers, the message and the usage.
 *
 * @param name the limit's short name
 * @param limit how much is allowed
 * @param used how much was used
 * @param windowSeconds how long the limit's window is; 0 where it has none
 * @param resetsAt when something of it comes back by itself; null where nothing is used or nobody
 *     can say
 */
public record Allowance(
    String name, long limit, long used, long windowSeconds, @Nullable Instant resetsAt) {
  public long remaining() {
    return Math.max(0, limit - used);
  }

  /** Its part of the {@code RateLimit-Policy} header. */
  String policy() {
    String window = windowSeconds == 0 ? "" : ";w=" + windowSeconds;
    return "\"%s\";q=%d%s".formatted(name, limit, window);
  }

  /** Its part of the {@code RateLimit} header. */
  String state(Instant now) {
    Instant reset = resetsAt;
    String wait = reset == null ? "" : ";t=" + secondsUntil(now, reset);
    return "\"%s\";r=%d%s".formatted(name, remaining(), wait);
  }

  /** Whole seconds, rounded up, so that waiting them is enough. */
  static long secondsUntil(Instant now, Instant then) {
    return Math.max(0, (then.toEpochMilli() - now.toEpochMilli() + 999) / 1000);
  }
}
