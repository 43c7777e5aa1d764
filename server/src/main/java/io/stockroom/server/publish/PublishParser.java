package io.stockroom.server.publish;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Text;
import io.stockroom.server.call.Json;
import io.stockroom.server.call.JsonFields;
import io.stockroom.server.call.Place;
import io.stockroom.server.call.Problems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads the body of a report of publish results, and notes every fault with its place. */
final class PublishParser {
  private static final int MOST_RESULTS = 300;
  private static final Set<String> RESULTS = Set.of("published", "failed", "withdrawn");
  private static final int URL_CHARACTERS = 2000;
  private static final int MESSAGE_CHARACTERS = 1000;

  private final JsonFields fields;
  private final JsonParser parser;
  private final Problems problems;
  private final List<PublishResult> results = new ArrayList<>();

  private PublishParser(JsonParser parser, Problems problems) {
    this.parser = parser;
    this.problems = problems;
    this.fields = new JsonFields(parser, problems);
  }

  static List<PublishResult> read(byte[] body, Problems problems) {
    try (JsonParser parser = Json.parser(body)) {
      PublishParser reader = new PublishParser(parser, problems);
      reader.fields.list("an array of publish results", MOST_RESULTS, reader::result);
      reader.refuseRepeated();
      return reader.results;
    } catch (JacksonException broken) {
      problems.add(Json.broken(broken));
      return List.of();
    }
  }

  private void result(Place at, JsonToken token) {
    if (!fields.isObject(at, token, "a publish result {…}")) {
      return;
    }
    int before = problems.total();
    JsonFields.Seen seen = fields.seen(at);
    Integer pid = null;
    String result = null;
    String url = "";
    String msg = "";
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = seen.note(parser.currentName());
      JsonToken value = parser.nextToken();
      switch (name) {
        case "pid" -> pid = fields.number(at.field("pid"), value, 1);
        case "result" -> result = word(at.field("result"), value);
        case "url" -> url = line(at.field("url"), value, URL_CHARACTERS);
        case "msg" -> msg = line(at.field("msg"), value, MESSAGE_CHARACTERS);
        default -> parser.skipChildren();
      }
    }
    seen.require("pid", "result");
    if (pid != null && result != null && problems.total() == before) {
      results.add(new PublishResult(at, pid, result, url, msg));
    }
  }

  private String word(Place at, JsonToken value) {
    String text = fields.text(at, value);
    if (text != null && !RESULTS.contains(text)) {
      problems.add(at, ErrorCode.RESULT_FORMAT, text);
    }
    return text == null ? "" : text;
  }

  private String line(Place at, JsonToken value, int most) {
    if (value == JsonToken.VALUE_NULL) {
      return "";
    }
    String text = fields.text(at, value);
    String kept = text == null ? "" : problems.check(at, () -> Text.line(text, most));
    return kept == null ? "" : kept;
  }

  private void refuseRepeated() {
    Map<Integer, Place> places = new HashMap<>();
    for (PublishResult result : results) {
      Place earlier = places.putIfAbsent(result.pid(), result.at());
      if (earlier != null) {
        problems.add(result.at().field("pid"), ErrorCode.PRODUCT_REPEATED, result.pid(), earlier);
      }
    }
  }
}
