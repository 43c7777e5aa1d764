package io.stockroom.lab.faults;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A response and its latency.
 *
 * @param status the HTTP status; 0 if there was no response
 */
record Answer(int status, String text, long millis) {
  private static final Pattern CODE = Pattern.compile("\"code\":\"([A-Z_0-9]+)\"");

  /** The status, and the error code if the response has one. */
  String code() {
    Matcher found = CODE.matcher(text);
    return found.find() ? status + " " + found.group(1) : Integer.toString(status);
  }

  Outcome outcome(Kind kind) {
    // 202: the import continues after the response
    if (status == 0 || status >= 500 || status == 202) {
      return Outcome.UNKNOWN;
    }
    boolean done =
        kind == Kind.IMPORT
            ? status == 200 && text.contains("\"state\":\"applied\"")
            : status == 200 && text.startsWith("{\"success\":true");
    return done ? Outcome.ACKNOWLEDGED : Outcome.REFUSED;
  }
}
