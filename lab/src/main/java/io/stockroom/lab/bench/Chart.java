package io.stockroom.lab.bench;

import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Draws the ratios as bars and each goal as a line; supports light and dark color schemes. */
final class Chart {
  private static final int ROW = 28;
  private static final int LABEL = 200;
  private static final int WIDTH = 480;
  private static final int TOP = 56;

  private Chart() {}

  static String of(JsonNode report) {
    StringBuilder svg = new StringBuilder();
    int rows = report.path("operations").size();
    int bottom = TOP + rows * ROW;
    double most = 1;
    for (JsonNode each : report.path("operations")) {
      most = Math.max(most, each.path("ratio").asDouble());
    }
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="13">
        <title id="title">Server and twin: requests per second relative to the same SQL without a server</title>
        <style>
          .back { fill: #ffffff } .text { fill: #1f2328 } .quiet { fill: #59636e }
          .bar { fill: #2f6fb2 } .below { fill: #b8722c } .goal { stroke: #1a7f37; stroke-width: 2 } .goal-text { fill: #1a7f37 }
          @media (prefers-color-scheme: dark) {
            .back { fill: #0d1117 } .text { fill: #e6edf3 } .quiet { fill: #9198a1 }
            .bar { fill: #6cb0f5 } .below { fill: #e3a25c } .goal { stroke: #56d364 } .goal-text { fill: #56d364 }
          }
        </style>
        <rect class="back" width="100%%" height="100%%"/>
        <text class="text" x="16" y="24" font-size="15" font-weight="600">Rate of the server ÷ rate of the same SQL without a server</text>
        """
            .formatted(LABEL + WIDTH + 80, bottom + 48));
    int row = 0;
    for (JsonNode each : report.path("operations")) {
      row(svg, each, TOP + row++ * ROW, most);
    }
    svg.append(
        """
        <text class="quiet" x="16" y="%d">%s</text>
        <line class="goal" x1="%d" y1="%d" x2="%d" y2="%d"/>
        <text class="goal-text" x="%d" y="%d">goal</text>
        </svg>
        """
            .formatted(
                bottom + 30,
                escaped(caption(report)),
                LABEL + WIDTH,
                TOP - 36,
                LABEL + WIDTH,
                TOP - 18,
                LABEL + WIDTH + 8,
                TOP - 22));
    return svg.toString();
  }

  private static void row(StringBuilder svg, JsonNode each, int y, double most) {
    double ratio = each.path("ratio").asDouble();
    double goal = Operation.goal(each.path("operation").asString());
    int at = LABEL + (int) (goal / most * WIDTH);
    int width = (int) Math.max(1, ratio / most * WIDTH);
    svg.append(
        """
        <text class="text" x="%d" y="%d" text-anchor="end">%s</text>
        <rect class="%s" x="%d" y="%d" width="%d" height="18" rx="3"/>
        <text class="text" x="%d" y="%d">%s</text>
        <line class="goal" x1="%d" y1="%d" x2="%d" y2="%d"/>
        """
            .formatted(
                LABEL - 10,
                y + 18,
                escaped(each.path("operation").asString()),
                ratio < goal ? "below" : "bar",
                LABEL,
                y + 4,
                width,
                LABEL + width + 6,
                y + 18,
                ratio(ratio),
                at,
                y + 2,
                at,
                y + 24));
  }

  private static String caption(JsonNode report) {
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

  private static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
