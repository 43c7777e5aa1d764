package io.stockroom.client;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The server or a proxy in front of it is unavailable (503), after all retries. */
public final class ServerUnavailableException extends StockroomException {
  private static final long serialVersionUID = 1;

  private final @Nullable Duration retryAfter;

  ServerUnavailableException(String words, Origin origin, @Nullable Duration retryAfter) {
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
