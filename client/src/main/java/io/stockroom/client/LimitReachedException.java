package io.stockroom.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A limit of product detail is reached: details per day, the published share, or the products of
 * the bound store ({@link #code} says which). The SDK never retries it, because it takes hours or
 * new publish results until the limit allows more; the message has the numbers and what to do.
 */
public final class LimitReachedException extends StockroomException {
  private static final long serialVersionUID = 1;

  private final List<Quota> quotas;
  private final @Nullable Duration retryAfter;

  LimitReachedException(
      String words, Origin origin, List<Quota> quotas, @Nullable Duration retryAfter) {
    super(words, origin, null);
    this.quotas = List.copyOf(quotas);
    this.retryAfter = retryAfter;
  }

  /** {@return the remaining quota of each limit} */
  public List<Quota> quotas() {
    return quotas;
  }

  /** {@return when a retry may succeed; empty if the server does not say} */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
