package io.stockroom.files.imports.read;

import io.stockroom.protocol.ErrorCode;

/** A file that cannot be read, or not any further. */
public final class FileRejection extends Exception {
  private static final long serialVersionUID = 1;

  private final transient FileProblem problem;

  FileRejection(FileProblem problem) {
    super(problem.code().name());
    this.problem = problem;
  }

  public static FileRejection of(ErrorCode code, Object... arguments) {
    return new FileRejection(FileProblem.of(0, "", "", code, arguments));
  }

  public FileProblem problem() {
    return problem;
  }
}
