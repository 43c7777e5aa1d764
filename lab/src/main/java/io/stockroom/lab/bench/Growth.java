package io.stockroom.lab.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * What a request costs in ten times the data: processor time, so that a busy machine matters less.
 */
final class Growth {
  /** Caches miss more often in larger data; a cost that grew by no more is flat. */
  static final double FLAT = 1.5;

  private Growth() {}

  static String of(JsonNode small, JsonNode large) {
    Map<String, JsonNode> before = new HashMap<>();
    small.path("operations").forEach(each -> before.put(each.path("operation").asString(), each));
    String from = String.format(Locale.ROOT, "%,d products", products(small));
    String to = String.format(Locale.ROOT, "%,d products", products(large));
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("cpu ms a request", "with " + from, "with " + to, "times", ""));
    for (JsonNode each : large.path("operations")) {
      JsonNode old = before.get(each.path("operation").asString());
      if (old != null) {
        double was = millis(old);
        double is = millis(each);
        rows.add(
            List.of(
                each.path("operation").asString(),
                String.format(Locale.ROOT, "%.3f", was),
                String.format(Locale.ROOT, "%.3f", is),
                String.format(Locale.ROOT, "%.2f", is / was),
                is / was <= FLAT ? "flat" : "GROWS"));
      }
    }
    return Table.aligned(rows);
  }

  private static int products(JsonNode report) {
    return report.path("settings").path("products").asInt();
  }

  /** What server and PostgreSQL spend on a request together. */
  private static double millis(JsonNode each) {
    JsonNode micros = each.path("cpuMicrosEach");
    return (micros.path("server").asDouble() + micros.path("postgres").asDouble()) / 1000;
  }
}
