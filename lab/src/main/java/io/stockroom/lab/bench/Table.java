package io.stockroom.lab.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Formats the results for people. */
final class Table {
  /** The maximum ratio of p99 to p50 at half the rate. */
  static final double SLOWEST = 5;

  private Table() {}

  static String of(JsonNode report) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "operation",
            "rate/s",
            "p50 ms",
            "p99 ms",
            "twin/s",
            "ratio",
            "cpu server",
            "postgres",
            "driver",
            "memory server",
            "postgres"));
    List<List<String>> half = new ArrayList<>();
    half.add(
        List.of(
            "at half the rate",
            "rate/s",
            "p50 ms",
            "p99 ms",
            "p99/p50",
            "cpu",
            "twin p50",
            "p99",
            "p99/p50"));
    for (JsonNode each : report.path("operations")) {
      rows.add(row(each));
      JsonNode paced = each.path("halfRate");
      if (!paced.isMissingNode()) {
        double slower = paced.path("p99OverP50").asDouble();
        half.add(
            List.of(
                title(each.path("operation").asString(), paced),
                number(paced.path("rate")),
                number(paced.path("p50Millis")),
                number(paced.path("p99Millis")),
                number(paced.path("p99OverP50")) + (slower > SLOWEST ? " (goal 5)" : ""),
                percent(paced.path("cpu")),
                measured(paced.path("twinP50Millis")),
                measured(paced.path("twinP99Millis")),
                measured(paced.path("twinP99OverP50"))));
      }
    }
    StringBuilder text = new StringBuilder(aligned(rows));
    if (half.size() > 1) {
      text.append('\n').append(aligned(half));
    }
    String beside = besidePeer(report);
    if (!beside.isEmpty()) {
      text.append('\n').append(beside);
    }
    text.append('\n').append(footer(report));
    return text.toString();
  }

  private static List<String> row(JsonNode each) {
    JsonNode cpu = each.path("cpu");
    JsonNode memory = each.path("memoryBytes");
    return List.of(
        title(each.path("operation").asString(), each),
        number(each.path("rate")),
        number(each.path("p50Millis")),
        number(each.path("p99Millis")),
        number(each.path("twinRate")),
        ratio(each.path("ratio")),
        percent(cpu.path("server")),
        percent(cpu.path("postgres")),
        percent(cpu.path("driver")),
        megabytes(memory.path("server")),
        megabytes(memory.path("postgres")));
  }

  /** Rates and ratios of server, peer and twin; empty if no peer was measured. */
  private static String besidePeer(JsonNode report) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "beside " + Peer.NAME,
            "rate/s",
            "p99 ms",
            "peer/s",
            "p99 ms",
            "twin/s",
            "server/peer",
            "server/twin",
            "peer/twin",
            "memory peer"));
    for (JsonNode each : report.path("operations")) {
      JsonNode peer = each.path("peer");
      if (!peer.isMissingNode()) {
        rows.add(
            List.of(
                title(each.path("operation").asString(), each),
                number(each.path("rate")),
                number(each.path("p99Millis")),
                number(peer.path("rate")),
                number(peer.path("p99Millis")),
                number(each.path("twinRate")),
                ratio(peer.path("times")),
                ratio(each.path("ratio")),
                ratio(peer.path("ratio")),
                megabytes(peer.path("memoryBytes"))));
      }
    }
    return rows.size() == 1 ? "" : aligned(rows);
  }

  private static String footer(JsonNode report) {
    JsonNode idle = report.path("idleMemoryBytes");
    JsonNode tools = report.path("tools");
    StringBuilder text = new StringBuilder();
    text.append(
        "idle memory: server %s, PostgreSQL %s%n"
            .formatted(megabytes(idle.path("server")), megabytes(idle.path("postgres"))));
    text.append(
        "load by %s, twins by %s, at half rate by %s; cpu is of all processors, ratio is rate/twin%n"
            .formatted(
                tools.path("load").asString(),
                tools.path("twin").asString(),
                tools.path("paced").asString()));
    if (!report.path("twinsInStep").asBoolean(true)) {
      text.append("STALE: a twin differs from what the server sends; its ratio means little\n");
    }
    if (report.path("noisy").asBoolean()) {
      text.append(
          "NOISY (~): other processes took more than a tenth of the machine; measure again\n");
    }
    return text.toString();
  }

  private static String title(String operation, JsonNode measured) {
    return operation + (measured.path("noisy").asBoolean() ? " ~" : "");
  }

  /** Aligns columns: the first to the left, numbers to the right. */
  static String aligned(List<List<String>> rows) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String padding = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? row.get(i) + padding : "  " + padding + row.get(i));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  static String number(JsonNode node) {
    double value = node.asDouble();
    String format = value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  private static String measured(JsonNode node) {
    return node.isMissingNode() ? "-" : number(node);
  }

  private static String ratio(JsonNode node) {
    return String.format(Locale.ROOT, "%.2f", node.asDouble());
  }

  private static String percent(JsonNode share) {
    return String.format(Locale.ROOT, "%.0f %%", share.asDouble() * 100);
  }

  private static String megabytes(JsonNode bytes) {
    return String.format(Locale.ROOT, "%d MB", bytes.asLong() / 1_000_000);
  }
}
