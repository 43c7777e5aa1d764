package io.stockroom.lab.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Finds the ratios that changed since an earlier run by more than the noise of one run. */
final class Comparison {
  /** Never report a smaller change, however small the noise. */
  static final double LEAST = 0.05;

  /** The noise assumed for a single round. */
  static final double SINGLE = 0.15;

  private Comparison() {}

  static String of(JsonNode before, JsonNode now) {
    Map<String, JsonNode> earlier = new HashMap<>();
    before.path("operations").forEach(each -> earlier.put(each.path("operation").asString(), each));
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "since " + before.path("commit").asString("?"),
            "ratio before",
            "now",
            "change",
            "noise",
            ""));
    for (JsonNode each : now.path("operations")) {
      JsonNode old = earlier.get(each.path("operation").asString());
      if (old != null) {
        rows.add(row(old, each));
      }
    }
    StringBuilder text = new StringBuilder(Table.aligned(rows));
    for (String setting : List.of("connections", "products")) {
      if (!before.path("settings").path(setting).equals(now.path("settings").path(setting))) {
        text.append("the two runs differ in their ").append(setting).append('\n');
      }
    }
    if (!before.path("tools").equals(now.path("tools"))) {
      text.append("the two runs used different tools, so ratios do not compare\n");
    }
    return text.toString();
  }

  private static List<String> row(JsonNode old, JsonNode now) {
    double was = old.path("ratio").asDouble();
    double is = now.path("ratio").asDouble();
    double change = is / was - 1;
    double noise = Math.max(LEAST, Math.max(spread(old), spread(now)));
    String verdict = Math.abs(change) <= noise ? "" : change > 0 ? "better" : "WORSE";
    return List.of(
        now.path("operation").asString(),
        String.format(Locale.ROOT, "%.2f", was),
        String.format(Locale.ROOT, "%.2f", is),
        String.format(Locale.ROOT, "%+.0f %%", change * 100),
        String.format(Locale.ROOT, "±%.0f %%", noise * 100),
        verdict);
  }

  /** The spread of the rounds of one run, relative to their median. */
  private static double spread(JsonNode each) {
    JsonNode ratios = each.path("ratios");
    if (ratios.size() < 2) {
      return SINGLE;
    }
    double least = Double.MAX_VALUE;
    double most = 0;
    for (JsonNode ratio : ratios) {
      least = Math.min(least, ratio.asDouble());
      most = Math.max(most, ratio.asDouble());
    }
    return (most - least) / Math.max(1e-9, each.path("ratio").asDouble());
  }
}
