package io.stockroom.protocol;

import java.util.List;

/** A value that the interface does not allow, with the message that the server would send. */
public final class InvalidValue extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final ErrorCode code;
  private final transient List<Object> arguments;

  InvalidValue(ErrorCode code, Object... arguments) {
    super(Messages.text(code, Language.ENGLISH, List.of(arguments)));
    this.code = code;
    this.arguments = List.of(arguments);
  }

  public ErrorCode code() {
    return code;
  }

  /** Returns this as a problem at {@code place} of a request. */
  public Problem at(String place) {
    return new Problem(place, code, arguments);
  }
}
