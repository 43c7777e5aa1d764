package io.stockroom.cli;

import java.util.Map;

/** Imports as JSON responses of a server. */
final class Imports {
  /** Counts with two rows that have errors. */
  static final String TWO_BAD =
      counts(1, 0, 0, 2)
          + """
          ,"rejected":true,"errors":[\
          {"row":3,"column":"price","value":"abc","code":"X","msg":"is not a price"},\
          {"row":4,"column":null,"value":null,"code":"X","msg":"\\"b\\" is there twice"}]\
          """;

  private Imports() {}

  /** Import 7 of merchant 7 in this state; {@code fields} such as {@code "created":2}. */
  static String in(String state, String fields) {
    return """
    {"importId":7,"merchantId":7,"name":"products.csv","by":"operator","state":"%s",%s\
    "createdAt":"2026-01-02T03:04:05Z","finishedAt":null,"reason":null}\
    """
        .formatted(state, fields.isEmpty() ? "" : fields + ",");
  }

  static String counts(int created, int changed, int unchanged, int failed) {
    return "\"created\":%d,\"changed\":%d,\"unchanged\":%d,\"failed\":%d"
        .formatted(created, changed, unchanged, failed);
  }

  static String progress(String phase, long done, long total, String unit) {
    return "\"progress\":{\"phase\":\"%s\",\"done\":%d,\"total\":%d,\"unit\":\"%s\"}"
        .formatted(phase, done, total, unit);
  }

  /** Lets the server return a file of rejected rows. */
  static void withRejectedRows(AnsweringServer server, String job) {
    server.on(
        "GET",
        job + "/rejected",
        200,
        "bad rows",
        Map.of(
            "Content-Type", "text/csv",
            "Content-Disposition", "attachment; filename=\"x.rejected.csv\""));
  }
}
