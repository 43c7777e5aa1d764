package io.stockroom.core.moves;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;

/** A merchant cannot be moved, or a cell cannot be drained. */
public final class MoveRejection extends Exception {
  private static final long serialVersionUID = 1;

  private final ErrorCode code;
  private final String argument;

  MoveRejection(ErrorCode code, Object argument) {
    super(code + " " + argument);
    this.code = code;
    this.argument = argument.toString();
  }

  public Problem problem() {
    return code == ErrorCode.MOVE_REFUSED
        ? Problem.of("", code, MoveText.of(argument))
        : Problem.of("", code, argument);
  }
}
