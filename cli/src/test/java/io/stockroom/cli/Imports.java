package io.stockroom.cli;

/** Imports as a server tells of them. */
final class Imports {
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
}
