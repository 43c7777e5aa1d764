package io.stockroom.lab.bench;

import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * Draws the ratios as bars and each goal as a line, and a second bar for a peer that was measured;
 * supports light and dark color schemes.
 */
final class Chart {
  private static final int ROW = 28;
  private static final int LABEL = 200;
  private static final int WIDTH = 480;
  private static final int TOP = 76;
  private static final int LEGEND = 50;
  private static final int PEER_BAR = 14;

  private final StringBuilder svg = new StringBuilder();
  private final JsonNode report;
  private final boolean hasPeer;
  private final double max;

  private Chart(JsonNode report) {
    this.report = report;
    double most = 1;
    boolean peers = false;
    for (JsonNode each : report.path("operations")) {
      most = Math.max(most, each.path("ratio").asDouble());
      most = Math.max(most, each.path("peer").path("ratio").asDouble());
      most = Math.max(most, Operation.goal(each.path("operation").asString()));
      peers |= each.has("peer");
    }
    this.max = most;
    this.hasPeer = peers;
  }

  static String of(JsonNode report) {
    return new Chart(report).draw();
  }

  static int width() {
    return LABEL + WIDTH + 80;
  }

  static int height(JsonNode report) {
    return new Chart(report).bottom() + 48;
  }

  private int rowHeight() {
    return ROW + (hasPeer ? PEER_BAR : 0);
  }

  private int bottom() {
    return TOP + report.path("operations").size() * rowHeight();
  }

  private String draw() {
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="13">
        <title id="title">Requests per second relative to the same SQL without a server</title>
        <style>
          .back { fill: #ffffff } .text { fill: #1f2328 } .quiet { fill: #59636e }
          .bar { fill: #2f6fb2 } .below { fill: #b8722c } .peer { fill: #8c959f } .goal { stroke: #1a7f37; stroke-width: 2 } .goal-text { fill: #1a7f37 }
          @media (prefers-color-scheme: dark) {
            .back { fill: #0d1117 } .text { fill: #e6edf3 } .quiet { fill: #9198a1 }
            .bar { fill: #6cb0f5 } .below { fill: #e3a25c } .peer { fill: #6e7681 } .goal { stroke: #56d364 } .goal-text { fill: #56d364 }
          }
        </style>
        <path class="back" d="M0 0h%1$dv%2$dh-%1$dz"/>
        <text class="text" x="16" y="24" font-size="15" font-weight="600">Requests per second ÷ those of the same SQL without a server</text>
        """
            .formatted(width(), height(report)));
    legend();
    int y = TOP;
    for (JsonNode each : report.path("operations")) {
      row(each, y);
      y += rowHeight();
    }
    svg.append("<text class=\"quiet\" x=\"16\" y=\"%d\">".formatted(bottom() + 30))
        .append(escaped(caption()))
        .append("</text>\n</svg>\n");
    return svg.toString();
  }

  private void legend() {
    key(LABEL, "bar", "Stockroom");
    key(LABEL + 110, "below", "below its goal");
    if (hasPeer) {
      key(LABEL + 230, "peer", Peer.NAME);
    }
    goal(LABEL + 380, LEGEND - 11);
    svg.append(
        "<text class=\"goal-text\" x=\"%d\" y=\"%d\">goal</text>\n".formatted(LABEL + 388, LEGEND));
  }

  private void key(int x, String color, String text) {
    svg.append(
        """
        <circle class="%s" cx="%d" cy="%d" r="6"/>
        <text class="text" x="%d" y="%d">%s</text>
        """
            .formatted(color, x + 6, LEGEND - 4, x + 18, LEGEND, escaped(text)));
  }

  private void row(JsonNode each, int y) {
    String operation = each.path("operation").asString();
    double ratio = each.path("ratio").asDouble();
    double goal = Operation.goal(operation);
    svg.append(
        "<text class=\"text\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n"
            .formatted(LABEL - 10, y + 18, escaped(operation)));
    // the number stands to the right of a goal that was missed, not on its line
    bar(ratio < goal ? "below" : "bar", ratio, Math.max(ratio, goal), y + 4, 18);
    goal(LABEL + (int) (goal / max * WIDTH), y + 6);
    if (each.has("peer")) {
      double peer = each.path("peer").path("ratio").asDouble();
      bar("peer", peer, peer, y + 23, PEER_BAR - 2);
    }
  }

  private void bar(String color, double ratio, double textAfter, int y, int height) {
    int width = (int) Math.max(1, ratio / max * WIDTH);
    int text = (int) (textAfter / max * WIDTH);
    svg.append(
        """
        <rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="3"/>
        <text class="text" x="%d" y="%d">%s</text>
        """
            .formatted(
                color,
                LABEL,
                y,
                width,
                height,
                LABEL + text + 8,
                y + height / 2 + 5,
                String.format(Locale.ROOT, "%.2f", ratio)));
  }

  private void goal(int x, int y) {
    svg.append(
        "<line class=\"goal\" x1=\"%1$d\" y1=\"%2$d\" x2=\"%1$d\" y2=\"%3$d\"/>\n"
            .formatted(x, y, y + 14));
  }

  private String caption() {
    JsonNode settings = report.path("settings");
    return "commit %s, %d products, %d %s, %s and %s%s"
        .formatted(
            report.path("commit").asString(""),
            settings.path("products").asInt(),
            settings.path("connections").asInt(),
            settings.path("connections").asInt() == 1 ? "connection" : "connections",
            report.path("tools").path("load").asString(""),
            report.path("tools").path("twin").asString(""),
            report.path("noisy").asBoolean() ? "; noisy" : "");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
