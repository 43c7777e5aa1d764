package io.stockroom.console.traffic;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A line chart as SVG, which needs no script. The drawing stretches to its container, so all text
 * is outside it: the axis labels, the legend, and a table with the same values.
 *
 * @param lines the lines in the legend
 * @param heights the labels of the vertical axis, from top to bottom
 * @param times the labels of the horizontal axis, from left to right
 * @param svg the drawing; it contains no user input
 * @param rows the same values as a table, without empty moments
 */
public record Plot(
    List<Line> lines, List<String> heights, List<String> times, String svg, List<Row> rows) {
  private static final int WIDTH = 600;
  private static final int HEIGHT = 120;
  private static final int GRID_LINES = 4;
  private static final int TIMES = 5;
  private static final double[] ROUND = {1, 1.5, 2, 2.5, 3, 5, 10};
  private static final String NOTHING = "–";

  /**
   * A line of a plot.
   *
   * @param name the suffix of its key {@code plot.NAME} and of its class {@code line-NAME}
   * @param values one for each moment; NaN if there is none
   * @param filled whether the area below it is shaded
   */
  public record Line(String name, List<Double> values, boolean filled) {
    private boolean isValue(int index) {
      return index >= 0 && index < values.size() && !Double.isNaN(values.get(index));
    }
  }

  /** The type of the values, which decides how the axis is divided. */
  public enum Scale {
    COUNT,
    MEASURE
  }

  /** A moment with the formatted values of all lines. */
  public record Row(String time, List<String> values) {
    private boolean isSomething() {
      return values.stream().anyMatch(value -> !value.equals("0") && !value.equals(NOTHING));
    }
  }

  /**
   * Draws lines.
   *
   * @param moments the formatted time of each value
   * @param names the localized names of the lines, for tooltips
   */
  public static Plot of(List<String> moments, Scale scale, List<Line> lines, List<String> names) {
    double top = top(lines, scale);
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg class=\"drawing\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" aria-hidden=\"true\" focusable=\"false\">"
            .formatted(WIDTH, HEIGHT));
    for (int i = 0; i <= GRID_LINES; i++) {
      double y = (double) HEIGHT * i / GRID_LINES;
      svg.append("<path class=\"grid\" d=\"M0 %s H%d\"/>".formatted(number(y), WIDTH));
    }
    lines.forEach(line -> draw(svg, line, top));
    List<Row> rows = new ArrayList<>();
    double width = (double) WIDTH / moments.size();
    for (int i = 0; i < moments.size(); i++) {
      Row row = row(moments.get(i), lines, i);
      svg.append(
          "<rect class=\"moment\" x=\"%s\" y=\"0\" width=\"%s\" height=\"%d\"><title>%s</title></rect>"
              .formatted(number(i * width), number(width), HEIGHT, title(row, names)));
      if (row.isSomething()) {
        rows.add(row);
      }
    }
    svg.append("</svg>");
    return new Plot(lines, heights(top), times(moments), svg.toString(), rows);
  }

  private static Row row(String moment, List<Line> lines, int index) {
    return new Row(moment, lines.stream().map(line -> written(line.values.get(index))).toList());
  }

  private static String title(Row row, List<String> names) {
    StringBuilder text = new StringBuilder(row.time);
    for (int i = 0; i < names.size(); i++) {
      text.append(" · ").append(names.get(i)).append(' ').append(row.values.get(i));
    }
    return text.toString().replace("&", "&amp;").replace("<", "&lt;");
  }

  private static void draw(StringBuilder svg, Line line, double top) {
    StringBuilder path = new StringBuilder();
    StringBuilder alone = new StringBuilder();
    StringBuilder area = new StringBuilder();
    String right = "";
    double width = (double) WIDTH / line.values.size();
    for (int i = 0; i < line.values.size(); i++) {
      double value = line.values.get(i);
      if (Double.isNaN(value)) {
        continue;
      }
      boolean before = line.isValue(i - 1);
      String x = number((i + 0.5) * width);
      String point = x + " " + number(HEIGHT - value / top * HEIGHT);
      if (before || line.isValue(i + 1)) {
        path.append(before ? "L" : "M").append(point);
      } else {
        // a zero-length stroke draws only its round caps: a dot
        alone.append('M').append(point).append("h0");
      }
      area.append(area.isEmpty() ? "M" + x + " " + HEIGHT : "").append('L').append(point);
      right = x;
    }
    if (line.filled && !area.isEmpty()) {
      area.append("L%s %dZ".formatted(right, HEIGHT));
      svg.append("<path class=\"area\" d=\"%s\"/>".formatted(area));
    }
    append(svg, "line", line, path);
    append(svg, "point", line, alone);
  }

  private static void append(StringBuilder svg, String kind, Line line, StringBuilder path) {
    if (!path.isEmpty()) {
      svg.append("<path class=\"%s line-%s\" d=\"%s\"/>".formatted(kind, line.name, path));
    }
  }

  /** The top of the axis: at least the largest value, and divisible into round numbers. */
  private static double top(List<Line> lines, Scale scale) {
    double most =
        lines.stream()
            .flatMap(line -> line.values.stream())
            .filter(value -> !Double.isNaN(value))
            .mapToDouble(Double::doubleValue)
            .max()
            .orElse(0);
    if (most <= 0) {
      return GRID_LINES;
    }
    double least = most / GRID_LINES;
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    if (scale == Scale.COUNT) {
      power = Math.max(1, power);
    }
    for (double round : ROUND) {
      double step = round * power;
      if (step >= least && (scale == Scale.MEASURE || step == Math.rint(step))) {
        return step * GRID_LINES;
      }
    }
    return most;
  }

  private static List<String> heights(double top) {
    List<String> heights = new ArrayList<>();
    for (int i = GRID_LINES; i >= 0; i--) {
      heights.add(written(top * i / GRID_LINES));
    }
    return heights;
  }

  private static List<String> times(List<String> moments) {
    List<String> times = new ArrayList<>();
    for (int i = 0; i < TIMES; i++) {
      times.add(moments.get((moments.size() - 1) * i / (TIMES - 1)));
    }
    return times;
  }

  /** Formats a value for display. */
  static String written(double value) {
    if (Double.isNaN(value)) {
      return NOTHING;
    }
    if (value == Math.rint(value) || value >= 100) {
      return String.format(Locale.ROOT, "%,d", Math.round(value));
    }
    String text = String.format(Locale.ROOT, value < 1 ? "%.2f" : "%.1f", value);
    return text.replaceFirst("0$", "").replaceFirst("\\.$", "");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value).replaceFirst("\\.0$", "");
  }
}
