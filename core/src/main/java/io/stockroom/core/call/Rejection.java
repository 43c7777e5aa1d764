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
 * The answer to a rejected call, where the interface prescribes no other form.
 *
 * @param problems at least one
 * @param total how many problems there are, including those that are not listed
 * @param headers headers that tell the caller what to do, such as {@code Retry-After}
 */
public record Rejection(List<Problem> problems, int total, Map<String, String> headers)
    implements Answer {
  public Rejection(List<Problem> problems, int total) {
    this(problems, total, Map.of());
  }

  public static Rejection of(String at, ErrorCode code, Object... arguments) {
    return new Rejection(List.of(Problem.of(at, code, arguments)), 1);
  }

  public static Rejection of(InvalidRequest invalid) {
    return new Rejection(invalid.problems(), invalid.total());
  }

  public static Rejection of(Problems problems) {
    return new Rejection(problems.list(), problems.total());
  }

  public Rejection with(String header, String value) {
    return new Rejection(problems, total, Map.of(header, value));
  }

  @Override
  public String code() {
    return problems.getFirst().code().name();
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
      writeFields(out, problem, language);
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  /** Writes the fields of one problem. */
  public static void writeFields(JsonGenerator out, Problem problem, Language language) {
    out.writeStringProperty("at", problem.at());
    out.writeStringProperty("code", problem.code().name());
    out.writeStringProperty("msg", problem.message(language));
  }

  /** The first problems as a person reads them, and how many more there are. */
  public static String message(List<Problem> problems, int total, Language language) {
    return Problem.sentences(problems, total, language);
  }
}
