package io.stockroom.server.imports;

import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import java.util.List;

/**
 * What an import did.
 *
 * @param applied false where a bad line kept everything from being applied
 * @param ignored fields that were there and mean nothing to us
 * @param errors the first hundred faults
 */
public record ImportResult(
    int created,
    int changed,
    int unchanged,
    int failed,
    boolean applied,
    List<String> ignored,
    List<BadLine> errors) {

  public record BadLine(int line, Problem problem) {
    public String at() {
      return problem.at();
    }

    public String code() {
      return problem.code().name();
    }

    public String message() {
      return problem.message(Language.ENGLISH);
    }
  }
}
