package io.stockroom.lab.faults;

/**
 * What came back, in how long.
 *
 * @param status of HTTP; 0 where no answer came
 */
record Answer(int status, String text, long millis) {
  Outcome outcome(Kind kind) {
    // 202: the import goes on after the answer
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
