package io.stockroom.lab;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A response and its latency.
 *
 * @param status the HTTP status; 0 if there was no response
 */
public record Answer(int status, String text, double millis) {
  private static final Pattern CODE = Pattern.compile("\"code\":\"([A-Z_0-9]+)\"");

  /** Whether a call of the interface was done. */
  public boolean isDone() {
    return status == 200 && text.startsWith("{\"success\":true");
  }

  /** Whether the server may have done the call nevertheless, now or later. */
  public boolean isUnknown() {
    // 202: the import continues after the response
    return status == 0 || status >= 500 || status == 202;
  }

  /** The status, and the error code if the response has one. */
  public String code() {
    Matcher found = CODE.matcher(text);
    return found.find() ? status + " " + found.group(1) : Integer.toString(status);
  }

  public JsonNode json() {
    return JsonMapper.shared().readTree(text);
  }
}
