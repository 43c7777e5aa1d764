package io.stockroom.core.call;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/**
 * A well-formed request that is not possible now: 200, as for every call of the interface, whatever
 * the status of its code elsewhere.
 *
 * @param problems at least one
 */
public record Failure(List<Problem> problems) implements Answer {
  public static Failure of(String at, ErrorCode code, Object... arguments) {
    return new Failure(List.of(Problem.of(at, code, arguments)));
  }

  @Override
  public Map<String, String> headers() {
    return Map.of(ERROR_CODE, problems.getFirst().code().name());
  }

  @Override
  public void write(JsonGenerator out, Language language) {
    new Rejection(problems, problems.size()).write(out, language);
  }
}
