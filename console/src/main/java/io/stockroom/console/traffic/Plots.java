package io.stockroom.console.traffic;

import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.traffic.History;
import io.stockroom.core.traffic.Period;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.springframework.context.MessageSource;

/**
 * The plots on both the usage and the health page: calls, errors, and latency.
 *
 * @param busiest the most calls in one step
 */
public record Plots(Plot calls, Plot errors, Plot latency, long busiest) {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm");
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("MM-dd HH:mm");

  static Plots of(History history, ConsoleRequest visit, MessageSource messages) {
    DateTimeFormatter format =
        (history.period() == Period.WEEK ? DAY : TIME).withZone(visit.zoneId());
    List<String> moments =
        history.points().stream().map(point -> format.format(point.at())).toList();
    Locale locale = Locale.of(visit.language().tag());
    return new Plots(
        plot(
            moments,
            Plot.Scale.COUNT,
            messages,
            locale,
            line(history, "calls", true, History.Point::calls)),
        plot(
            moments,
            Plot.Scale.COUNT,
            messages,
            locale,
            line(history, "rejected", false, History.Point::rejected),
            line(history, "failed", false, History.Point::failed)),
        plot(
            moments,
            Plot.Scale.MEASURE,
            messages,
            locale,
            line(history, "p50", false, point -> ifAny(point, point.p50())),
            line(history, "p99", false, point -> ifAny(point, point.p99()))),
        history.points().stream().mapToLong(History.Point::calls).max().orElse(0));
  }

  private static Plot plot(
      List<String> moments,
      Plot.Scale scale,
      MessageSource messages,
      Locale locale,
      Plot.Line... lines) {
    List<String> names =
        List.of(lines).stream()
            .map(line -> messages.getMessage("plot." + line.name(), new Object[0], locale))
            .toList();
    return Plot.of(moments, scale, List.of(lines), names);
  }

  private static Plot.Line line(
      History history, String name, boolean filled, ToDoubleFunction<History.Point> value) {
    List<History.Point> points = history.points();
    List<Double> values = new ArrayList<>(points.stream().mapToDouble(value).boxed().toList());
    // an incomplete last step would look like a drop in calls
    if (points.getLast().calls() < points.get(points.size() - 2).calls()) {
      values.set(values.size() - 1, Double.NaN);
    }
    return new Plot.Line(name, values, filled);
  }

  /** Without calls there is no latency. */
  private static double ifAny(History.Point point, double millis) {
    return point.calls() == 0 ? Double.NaN : millis;
  }
}
