package io.stockroom.files.imports;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;

/** Why a job cannot be started. */
public final class JobRejection extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  JobRejection(ErrorCode code, Object... arguments) {
    super(code.name(), null, false, false);
    this.problem = Problem.of("", code, arguments);
  }

  public Problem problem() {
    return problem;
  }
}
