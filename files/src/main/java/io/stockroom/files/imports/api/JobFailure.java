package io.stockroom.files.imports.api;

import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Rejection;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** A well-formed request that is not possible now: 200, as for every call of the interface. */
record JobFailure(Problem problem) implements Answer {
  @Override
  public Map<String, String> headers() {
    return Map.of(Answer.ERROR_CODE, problem.code().name());
  }

  @Override
  public String code() {
    return problem.code().name();
  }

  @Override
  public void write(JsonGenerator out, Language language) {
    new Rejection(List.of(problem), 1).write(out, language);
  }
}
