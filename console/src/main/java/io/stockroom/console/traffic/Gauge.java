package io.stockroom.console.traffic;

import io.stockroom.core.limits.Usage;
import io.stockroom.core.settings.FileSize;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.PublishCounts;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A limit as shown to a merchant: how much is left, when it resets, what to do now.
 *
 * @param name selects the messages {@code usage.NAME.…}
 * @param state selects one of them: {@code free}, {@code low}, {@code full} or {@code unjudged}
 * @param percent how much is used, for the bar
 * @param numbers the arguments of all messages
 * @param returnsAt when it resets; null if it does not depend on time
 */
public record Gauge(
    String name, String state, int percent, List<Object> numbers, @Nullable Instant returnsAt) {
  private static final int LOW_PERCENT = 90;
  private static final int FULL = 100;

  public static List<Gauge> of(Usage.Report report, Limits limits) {
    return List.of(
        pace(report.limit("create-interval"), limits),
        counted("day", report.limit("detail-per-day")),
        share(report, limits),
        counted("store", report.limit("store-products")),
        counted("imports", report.limit("imports-open")),
        bytes(report.limit("imports-bytes")));
  }

  /** The CSS class of the bar and the label. */
  public String look() {
    return switch (state) {
      case "full" -> "bad";
      case "low" -> "warn";
      default -> "good";
    };
  }

  /** The message key for the amount used; a store may have no name. */
  public String used() {
    boolean nameless = name.equals("store") && numbers.getLast().equals("");
    return "usage." + name + (nameless ? ".of.none" : ".of");
  }

  private static Gauge pace(Usage.Line line, Limits limits) {
    boolean waits = line.resetsAt() != null;
    double seconds = limits.createInterval().toMillis() / 1000.0;
    return new Gauge(
        "pace",
        waits ? "full" : "free",
        waits ? FULL : 0,
        List.of(seconds, limits.createElements()),
        line.resetsAt());
  }

  private static Gauge counted(String name, Usage.Line line) {
    long limit = line.limit() == null ? 0 : line.limit();
    long used = line.used() == null ? 0 : line.used();
    long left = Math.max(0, limit - used);
    int percent = limit == 0 ? FULL : (int) Math.min(FULL, used * FULL / limit);
    String state = left == 0 ? "full" : percent >= LOW_PERCENT ? "low" : "free";
    String store = line.store() == null ? "" : line.store();
    return new Gauge(name, state, percent, List.of(left, limit, used, store), line.resetsAt());
  }

  /** Like {@link #counted}, with readable sizes. */
  private static Gauge bytes(Usage.Line line) {
    Gauge counted = counted("files", line);
    return new Gauge(
        counted.name,
        counted.state,
        counted.percent,
        counted.numbers.stream()
            .map(number -> number instanceof Long bytes ? (Object) FileSize.shown(bytes) : number)
            .toList(),
        null);
  }

  private static Gauge share(Usage.Report report, Limits limits) {
    Usage.Share share = report.share();
    int needed = share.results() + share.missing();
    String state = !share.judged() ? "unjudged" : share.missing() > 0 ? "full" : "free";
    int percent =
        share.fetched() == 0 ? 0 : (int) ((long) share.results() * FULL / share.fetched());
    return new Gauge(
        limits.publishCounts() == PublishCounts.PUBLISHED ? "published" : "share",
        state,
        percent,
        List.of(
            share.results(),
            share.fetched(),
            needed,
            share.missing(),
            limits.publishMinimum(),
            limits.publishShare().toString()),
        null);
  }
}
