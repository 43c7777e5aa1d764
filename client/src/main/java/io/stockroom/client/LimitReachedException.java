package io.stockroom.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A limit of product detail is reached: the day's details, the published share, or the products of
 * the bound store ({@link #code} says which). It is never retried, since it opens in hours, or by
 * reporting publish results; the message says the numbers and the way out.
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

  /** {@return what is left of each limit} */
  public List<Quota> quotas() {
    return quotas;
  }

  /** {@return when it may work again by itself; empty where the server does not say} */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
