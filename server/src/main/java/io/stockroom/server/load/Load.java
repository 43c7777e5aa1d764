package io.stockroom.server.load;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** The places of every kind, shared out so that writes always leave connections to reads. */
public final class Load {
  /**
   * Statements are shared among reads, and among those who ask who calls, so these are no
   * connections; more would only wait longer.
   */
  private static final int SHARED = 128;

  /** Of creates and details, so many for each processor. */
  private static final int CREATES = 4;

  private static final int DETAILS = 3;

  /** Files hold no connection while they come, only a piece of themselves in memory. */
  private static final int FILES = 64;

  /** A read is soon done, and soon asked for again. */
  private static final int READ_WAITS = 5;

  /** A refused caller is never told to stay away for longer. */
  public static final int MOST_RETRY_SECONDS = 3;

  private final Map<Kind, Places> places = new EnumMap<>(Kind.class);

  /**
   * Shares the places out.
   *
   * @param connections how many connections to the database there are
   * @param processors how many processors; more at a time than they can work on would only take
   *     them from each other
   * @param longestWait how long a write may expect to wait for its turn; a read waits a fifth of it
   */
  public Load(int connections, int processors, Duration longestWait, MeterRegistry meters) {
    Duration readWait = longestWait.dividedBy(READ_WAITS);
    add(Kind.READ, SHARED, readWait, meters);
    add(Kind.CREATE, share(connections, 2, CREATES * processors), longestWait, meters);
    add(Kind.DETAIL, share(connections, 4, DETAILS * processors), longestWait, meters);
    add(Kind.CALLER, SHARED, readWait, meters);
    add(Kind.OPERATOR, connections, longestWait, meters);
    add(Kind.PAGE, connections, longestWait, meters);
    add(Kind.FILE, FILES, longestWait, meters);
  }

  public Places of(Kind kind) {
    Places found = places.get(kind);
    if (found == null) {
      throw new IllegalArgumentException("no places for " + kind);
    }
    return found;
  }

  /** When a refused caller may try again: not all of them in the same second. */
  public static int retrySeconds() {
    return 1 + ThreadLocalRandom.current().nextInt(MOST_RETRY_SECONDS);
  }

  private static int share(int connections, int part, int most) {
    return Math.clamp(connections / part, 1, most);
  }

  private void add(Kind kind, int most, Duration longestWait, MeterRegistry meters) {
    Places made = new Places(most, longestWait);
    places.put(kind, made);
    Gauge.builder("stockroom.load.working", made, Places::inWork)
        .description("Calls that hold a place")
        .tag("kind", kind.word())
        .register(meters);
    Gauge.builder("stockroom.load.waiting", made, Places::waiting)
        .description("Calls that wait for a place")
        .tag("kind", kind.word())
        .register(meters);
    FunctionCounter.builder("stockroom.load.refused", made, Places::refused)
        .description("Calls that were refused because their turn would have come too late")
        .tag("kind", kind.word())
        .register(meters);
  }
}
