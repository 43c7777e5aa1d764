package io.stockroom.lab.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Shows how the CPU time per request grows with ten times the data. CPU time depends less on the
 * load of the machine.
 */
final class Growth {
  /** Caches miss more often with more data; growth up to this factor counts as flat. */
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

  /** The CPU time of server and PostgreSQL together per request. */
  private static double millis(JsonNode each) {
    JsonNode micros = each.path("cpuMicrosEach");
    return (micros.path("server").asDouble() + micros.path("postgres").asDouble()) / 1000;
  }
}
