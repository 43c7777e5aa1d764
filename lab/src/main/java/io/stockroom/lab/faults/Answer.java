package io.stockroom.lab.faults;

/**
 * A response and its latency.
 *
 * @param status the HTTP status; 0 if there was no response
 */
record Answer(int status, String text, long millis) {
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
