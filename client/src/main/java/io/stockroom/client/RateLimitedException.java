package io.stockroom.client;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The call exceeds the rate limit (429), and the server asks for a longer wait than the rest of
 * {@link StockroomClientBuilder#rateLimitBudget} or than the client's longest wait.
 */
public final class RateLimitedException extends StockroomException {
  private static final long serialVersionUID = 1;

  private final @Nullable Duration retryAfter;

  RateLimitedException(String words, Origin origin, @Nullable Duration retryAfter) {
    super(words, origin, null);
    this.retryAfter = retryAfter;
  }

  /** {@return how long the server asks to wait; empty if it does not say} */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  @Override
  public boolean isTemporary() {
    return true;
  }
}
