package io.stockroom.lab.bench;

import io.stockroom.lab.Laboratory;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Draws the ratios as bars and each goal as a line. */
final class Chart {
  private static final int ROW = 28;
  private static final int LABEL = 200;
  private static final int WIDTH = 480;
  private static final int TOP = 44;

  private Chart() {}

  static String of(List<Result> results) {
    double most = 1;
    for (Result each : results) {
      most = Math.max(most, Math.max(each.ratio(), each.operation().goal()));
    }
    StringBuilder svg =
        new StringBuilder(
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="system-ui, sans-serif" font-size="13">
            <title>Requests per second relative to the same SQL without a server</title>
            <style>
              .back { fill: #ffffff } .text { fill: #1f2328 } .bar { fill: #2f6fb2 } .below { fill: #b8722c } .goal { stroke: #1a7f37; stroke-width: 2 }
              @media (prefers-color-scheme: dark) {
                .back { fill: #0d1117 } .text { fill: #e6edf3 } .bar { fill: #6cb0f5 } .below { fill: #e3a25c } .goal { stroke: #56d364 }
              }
            </style>
            <path class="back" d="M0 0h%1$dv%2$dh-%1$dz"/>
            <text class="text" x="16" y="26" font-size="15" font-weight="600">Requests per second ÷ those of the same SQL without a server; line: goal</text>
            """
                .formatted(width(), height(results.size())));
    for (int i = 0; i < results.size(); i++) {
      svg.append(row(results.get(i), TOP + i * ROW, WIDTH / most));
    }
    return svg.append("</svg>\n").toString();
  }

  private static String row(Result result, int y, double scale) {
    double goal = result.operation().goal();
    int bar = (int) (result.ratio() * scale);
    int line = (int) (goal * scale);
    return """
    <text class="text" x="%d" y="%d" text-anchor="end">%s</text>
    <rect class="%s" x="%d" y="%d" width="%d" height="18" rx="3"/>
    <text class="text" x="%d" y="%d">%.2f</text>
    <path class="goal" d="M%d %dv14"/>
    """
        .formatted(
            LABEL - 10,
            y + 18,
            result.operation().title(),
            result.ratio() < goal ? "below" : "bar",
            LABEL,
            y + 4,
            Math.max(1, bar),
            LABEL + Math.max(bar, line) + 8,
            y + 18,
            result.ratio(),
            LABEL + line,
            y + 6);
  }

  private static int width() {
    return LABEL + WIDTH + 80;
  }

  private static int height(int rows) {
    return TOP + rows * ROW + 16;
  }

  /** Makes a PNG of it for the docs, if there is a browser. */
  static void paint(Laboratory laboratory, Path svg, int rows) {
    String browser =
        Stream.of("chromium-headless-shell", "chromium")
            .filter(Laboratory::has)
            .findFirst()
            .orElse("");
    if (!browser.isEmpty()) {
      var _ =
          laboratory
              .processes()
              .run(
                  browser,
                  "--headless",
                  "--no-sandbox",
                  "--disable-gpu",
                  "--hide-scrollbars",
                  "--force-device-scale-factor=2",
                  "--window-size=%d,%d".formatted(width(), height(rows)),
                  "--screenshot=" + svg.toString().replace(".svg", ".png"),
                  svg.toUri().toString());
      System.out.println("\nPicture: " + svg.toString().replace(".svg", ".png"));
    }
  }
}
