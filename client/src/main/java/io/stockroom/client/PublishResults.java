package io.stockroom.client;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Text;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** How publish results are written, and what no report may hold of them. */
final class PublishResults {
  private static final int MOST = 300;
  private static final int URL_CHARACTERS = 2000;
  private static final int MESSAGE_CHARACTERS = 1000;

  private PublishResults() {}

  static byte[] json(List<PublishResult> results) {
    return Json.write(
        out -> {
          out.writeStartArray();
          results.forEach(result -> write(out, result));
          out.writeEndArray();
        });
  }

  /** What the server would refuse, in its order. */
  static List<Problem> problems(List<PublishResult> results) {
    List<Problem> problems = new ArrayList<>();
    if (results.isEmpty()) {
      problems.add(Problem.of("", ErrorCode.LIST_EMPTY));
    }
    if (results.size() > MOST) {
      problems.add(Problem.of("", ErrorCode.LIST_TOO_LONG, results.size(), MOST));
    }
    Map<Integer, String> places = new HashMap<>();
    for (int i = 0; i < results.size() && i < MOST; i++) {
      PublishResult result = results.get(i);
      String at = "[" + i + "]";
      if (result.pid() < 1) {
        problems.add(
            Problem.of(at + ".pid", ErrorCode.NUMBER_RANGE, result.pid(), 1, Integer.MAX_VALUE));
      }
      check(at + ".url", result.url(), URL_CHARACTERS, problems);
      check(at + ".msg", result.message(), MESSAGE_CHARACTERS, problems);
      String earlier = places.putIfAbsent(result.pid(), at);
      if (earlier != null) {
        problems.add(Problem.of(at + ".pid", ErrorCode.PRODUCT_REPEATED, result.pid(), earlier));
      }
    }
    return problems;
  }

  private static void check(String at, String text, int most, List<Problem> problems) {
    try {
      var unused = Text.line(text, most);
    } catch (InvalidValue invalid) {
      problems.add(invalid.at(at));
    }
  }

  private static void write(JsonGenerator out, PublishResult result) {
    out.writeStartObject();
    out.writeNumberProperty("pid", result.pid());
    out.writeStringProperty("result", result.result().word());
    if (!result.url().isEmpty()) {
      out.writeStringProperty("url", result.url());
    }
    if (!result.message().isEmpty()) {
      out.writeStringProperty("msg", result.message());
    }
    out.writeEndObject();
  }
}
