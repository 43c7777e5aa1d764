package io.stockroom.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Limits how often the same warning is logged, so that an outage does not fill the disk. Warnings
 * are the same if their text before the values are filled in is the same; the number of those that
 * were left out is logged.
 */
public final class RepeatedWarnings extends TurboFilter {
  static final int MAX_PER_WINDOW = 10;
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final String FOLLOWED =
      "More warnings like the last one are counted, and not logged for up to {} seconds.";
  private static final String COUNTED = "{} more warnings like the next one were not logged.";

  private static final class Window {
    private final Instant until;
    private int warnings;

    Window(Instant until) {
      this.until = until;
    }

    int leftOut() {
      return Math.max(0, warnings - MAX_PER_WINDOW);
    }
  }

  private final Clock clock;
  private final Map<String, Window> windows = new HashMap<>();

  /** For the configuration file. */
  public RepeatedWarnings() {
    this(Clock.systemUTC());
  }

  RepeatedWarnings(Clock clock) {
    this.clock = clock;
  }

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] parameters,
      @Nullable Throwable failure) {
    if (level != Level.WARN
        || format == null
        || format.equals(FOLLOWED)
        || format.equals(COUNTED)
        || !level.isGreaterOrEqual(logger.getEffectiveLevel())) {
      return FilterReply.NEUTRAL;
    }
    int before = 0;
    int now;
    synchronized (windows) {
      String key = logger.getName() + " " + format;
      Window window = windows.get(key);
      if (window == null || !clock.instant().isBefore(window.until)) {
        before = window == null ? 0 : window.leftOut();
        window = new Window(clock.instant().plus(WINDOW));
        windows.put(key, window);
      }
      now = ++window.warnings;
    }
    if (before > 0) {
      logger.warn(COUNTED, before);
    }
    if (now == MAX_PER_WINDOW + 1) {
      logger.warn(FOLLOWED, WINDOW.toSeconds());
    }
    return now <= MAX_PER_WINDOW ? FilterReply.NEUTRAL : FilterReply.DENY;
  }
}
