package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import java.util.List;

/** A request that violates the contract, with all its problems. */
public final class InvalidRequest extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;
  private final int total;

  InvalidRequest(List<Problem> problems, int total) {
    super(null, null, false, false);
    this.problems = List.copyOf(problems);
    this.total = total;
  }

  /** A request with one problem. */
  public static InvalidRequest of(String at, ErrorCode code, Object... arguments) {
    return new InvalidRequest(List.of(Problem.of(at, code, arguments)), 1);
  }

  /** The first hundred problems in the order found; at least one. */
  public List<Problem> problems() {
    return problems;
  }

  /** The number of all problems. */
  public int total() {
    return total;
  }

  @Override
  public String getMessage() {
    return Problem.sentences(problems, total, Language.ENGLISH);
  }
}
