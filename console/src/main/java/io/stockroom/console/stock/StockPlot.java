package io.stockroom.console.stock;

import io.stockroom.console.traffic.Plot;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.core.stock.StockTotals;
import io.stockroom.core.stock.StockTotals.Point;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;

/** Draws the total quantity of a product over time. */
public final class StockPlot {
  private static final int STEPS = 60;
  private static final Duration SHORT = Duration.ofHours(36);

  private final StockTotals totals;
  private final MessageSource messages;

  public StockPlot(StockTotals totals, MessageSource messages) {
    this.totals = totals;
    this.messages = messages;
  }

  /**
   * The plot with the numbers of its summary.
   *
   * @param since the time of the oldest change in it
   */
  public record Drawn(Plot plot, long total, long lowest, long highest, Instant since) {}

  /** The plot of a product; null if its stock never changed. */
  @Nullable Drawn of(ConsoleRequest visit, int productId) throws SQLException {
    List<Point> points = totals.of(visit.merchantId(), productId);
    if (points.isEmpty()) {
      return null;
    }
    Instant first = points.getFirst().at();
    Instant last = points.getLast().at();
    Duration margin = Duration.between(first, last).dividedBy(STEPS).plusSeconds(1);
    // a step before the first change, so that the plot shows from which total it started
    Instant start = first.minus(margin);
    Duration span = Duration.between(start, last);
    DateTimeFormatter format =
        DateTimeFormatter.ofPattern(span.compareTo(SHORT) < 0 ? "HH:mm" : "MM-dd")
            .withZone(visit.zoneId());
    List<String> moments = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    int next = 0;
    double total = points.getFirst().before();
    for (int step = 0; step < STEPS; step++) {
      Instant moment = start.plus(span.multipliedBy(step).dividedBy(STEPS - 1));
      while (next < points.size() && !points.get(next).at().isAfter(moment)) {
        total = points.get(next).total();
        next++;
      }
      moments.add(format.format(moment));
      values.add(total);
    }
    String name = messages.getMessage("plot.total", new Object[0], locale(visit));
    Plot plot =
        Plot.of(
            moments,
            Plot.Scale.COUNT,
            List.of(new Plot.Line("total", values, true)),
            List.of(name));
    return new Drawn(
        plot,
        points.getLast().total(),
        points.stream().mapToLong(Point::total).min().orElse(0),
        points.stream().mapToLong(Point::total).max().orElse(0),
        first);
  }

  private static Locale locale(ConsoleRequest visit) {
    return Locale.of(visit.language().tag());
  }
}
