package io.stockroom.core.call;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.Problems;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/**
 * The one envelope of every failure that has no shape of its own in the interface.
 *
 * @param problems the faults, at least one
 * @param total how many there are in all, where not every one is listed
 * @param headers headers that tell the caller what to do, such as {@code Retry-After}
 */
public record Refused(List<Problem> problems, int total, Map<String, String> headers)
    implements Answer {
  public Refused(List<Problem> problems, int total) {
    this(problems, total, Map.of());
  }

  public static Refused of(String at, ErrorCode code, Object... arguments) {
    return new Refused(List.of(Problem.of(at, code, arguments)), 1);
  }

  public static Refused of(InvalidRequest invalid) {
    return new Refused(invalid.problems(), invalid.total());
  }

  public static Refused of(Problems problems) {
    return new Refused(problems.list(), problems.total());
  }

  public Refused with(String header, String value) {
    return new Refused(problems, total, Map.of(header, value));
  }

  @Override
  public int status() {
    return problems.getFirst().code().status();
  }

  @Override
  public void write(JsonGenerator out, Language language) {
    out.writeStartObject();
    out.writeBooleanProperty("success", false);
    out.writeStringProperty("msg", message(problems, total, language));
    writeErrors(out, problems, language);
    out.writeEndObject();
  }

  /** Writes the property {@code errors}: each problem with its place, code and message. */
  public static void writeErrors(JsonGenerator out, List<Problem> problems, Language language) {
    out.writeArrayPropertyStart("errors");
    for (Problem problem : problems) {
      out.writeStartObject();
      out.writeStringProperty("at", problem.at());
      out.writeStringProperty("code", problem.code().name());
      out.writeStringProperty("msg", problem.message(language));
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  /** The first problems as a person reads them, and how many more there are. */
  public static String message(List<Problem> problems, int total, Language language) {
    return Problem.sentences(problems, total, language);
  }
}
