package io.stockroom.client;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A call that failed. Each cause has its own subclass, so that a program can catch what it can
 * handle. The message is for people: the server's message with status, error code and request id.
 */
public abstract sealed class StockroomException extends RuntimeException
    permits AdjustRejectedException,
        AuthenticationException,
        CallInterruptedException,
        CursorExpiredException,
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

  /** {@return the request id to quote to the operator; empty if no response had one} */
  public Optional<String> requestId() {
    return Optional.ofNullable(origin.requestId());
  }

  /**
   * {@return the first error code of the server, such as {@code CREDENTIALS_WRONG}; without one,
   * the name of the exception, such as {@code NO_ANSWER}}
   */
  public String code() {
    String code = origin.code();
    if (code != null) {
      return code;
    }
    String name = getClass().getSimpleName().replaceFirst("Exception$", "");
    return name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
  }

  /**
   * {@return whether the same call may succeed later, without a change of the request or of the
   * data: the server could not be reached, is overloaded or failed}
   */
  public boolean isTemporary() {
    return false;
  }

  /**
   * {@return the HTTP status of the response; empty if nothing was sent or there was no response}
   */
  public OptionalInt status() {
    return origin.status() == 0 ? OptionalInt.empty() : OptionalInt.of(origin.status());
  }
}
