package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Text;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the body of {@code /Product/Publish}. */
public final class PublishReader {
  public static final int MAX_RESULTS = 300;
  public static final int MAX_URL_CHARACTERS = 2000;
  public static final int MAX_MESSAGE_CHARACTERS = 1000;

  private static final Set<String> RESULTS = Set.of("published", "failed", "withdrawn");

  private static final Pattern URL = Pattern.compile("(?i)https?://[^/?#\\s]");

  private final JsonReader json;
  private final Problems problems;
  private final List<ReportedResult> results = new ArrayList<>();

  private PublishReader(JsonReader json) {
    this.json = json;
    this.problems = json.problems();
  }

  public static List<ReportedResult> read(RequestContent content) throws InvalidRequest {
    content.require(RequestContent.JSON);
    return read(content.body());
  }

  /** Reads a JSON body. */
  public static List<ReportedResult> read(byte[] body) throws InvalidRequest {
    return JsonReader.read(body, json -> new PublishReader(json).results());
  }

  private List<ReportedResult> results() {
    json.list("an array of publish results", MAX_RESULTS, this::result);
    checkProducts();
    return results;
  }

  private void result(JsonPath at) {
    if (!json.isObject(at, "a publish result {…}")) {
      return;
    }
    int before = problems.total();
    JsonReader.Fields fields = json.fields(at);
    Integer pid = null;
    String result = null;
    String url = "";
    String msg = "";
    for (String name = fields.next(); name != null; name = fields.next()) {
      switch (name) {
        case "pid" -> pid = json.number(at.field("pid"), 1);
        case "result" -> result = word(at.field("result"));
        case "url" -> url = url(at.field("url"));
        case "msg" -> msg = line(at.field("msg"), MAX_MESSAGE_CHARACTERS);
        default -> json.skip();
      }
    }
    fields.require("pid", "result");
    if (pid != null && result != null && problems.total() == before) {
      results.add(new ReportedResult(at, pid, result, url, msg));
    }
  }

  private String word(JsonPath at) {
    String text = json.text(at);
    if (text != null && !RESULTS.contains(text)) {
      problems.add(at, ErrorCode.RESULT_FORMAT, text);
    }
    return text == null ? "" : text;
  }

  private String line(JsonPath at, int max) {
    String text = json.isNull() ? "" : json.text(at);
    String kept = text == null ? "" : problems.check(at, () -> Text.line(text, max));
    return kept == null ? "" : kept;
  }

  /** People open it in the console, so it is never a script. */
  private String url(JsonPath at) {
    String url = line(at, MAX_URL_CHARACTERS);
    if (!url.isEmpty() && !URL.matcher(url).lookingAt()) {
      problems.add(at, ErrorCode.TEXT_FORMAT, url, "send a whole http:// or https:// address");
    }
    return url;
  }

  private void checkProducts() {
    Map<Integer, JsonPath> paths = new HashMap<>();
    for (ReportedResult result : results) {
      JsonPath earlier = paths.putIfAbsent(result.pid(), result.at());
      if (earlier != null) {
        problems.add(result.at().field("pid"), ErrorCode.PRODUCT_REPEATED, result.pid(), earlier);
      }
    }
  }
}
