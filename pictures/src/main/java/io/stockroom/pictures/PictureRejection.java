package io.stockroom.pictures;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;

/** Why a picture is not stored. */
public final class PictureRejection extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  PictureRejection(ErrorCode code, Object... arguments) {
    super(code.name(), null, false, false);
    this.problem = Problem.of("", code, arguments);
  }

  public Problem problem() {
    return problem;
  }
}
