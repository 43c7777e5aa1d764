package io.stockroom.client;

import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A call that failed. Each cause has a subclass of its own, so that a program catches what it can
 * mend and lets the rest go up. The message is for people: the server's own words, with status,
 * error code and request id after them.
 */
public abstract sealed class StockroomException extends RuntimeException
    permits AuthenticationException,
        CallInterruptedException,
        IncompleteCreateException,
        InvalidRequestException,
        LimitReachedException,
        NoAnswerException,
        NotFoundException,
        RateLimitedException,
        RejectedException,
        ServerErrorException,
        ServerUnavailableException,
        UnexpectedAnswerException {
  private static final long serialVersionUID = 1;

  private final Origin origin;

  StockroomException(String words, Origin origin, @Nullable Throwable cause) {
    super(origin.explain(words), cause);
    this.origin = origin;
  }

  /**
   * {@return the id to quote when you ask the operator about this call; empty where no answer named
   * one}
   */
  public Optional<String> requestId() {
    return Optional.ofNullable(origin.requestId());
  }

  /** {@return the first error code, such as {@code CREDENTIALS_WRONG}; empty where none came} */
  public Optional<String> code() {
    return Optional.ofNullable(origin.code());
  }

  /** {@return the HTTP status of the answer; empty where nothing was sent or nothing came back} */
  public OptionalInt status() {
    return origin.status() == 0 ? OptionalInt.empty() : OptionalInt.of(origin.status());
  }
}
