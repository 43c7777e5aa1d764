package io.stockroom.lab.bench;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The outcomes of the requests of one measurement. */
final class Outcomes {
  private static final int REFUSED = 503;

  /** Beyond this delay, the driver is the bottleneck, not the server. */
  private static final long LATE_MILLIS = 20;

  private final Times successes = new Times();
  private final Times rejections = new Times();
  private final Times lateness = new Times();
  private final Map<String, Integer> successesByPath = new TreeMap<>();
  private long start;
  private long nanos;
  private long sent;
  private long inTime;
  private long rejectedWithoutTime;
  private long others;
  private long broken;
  private long unanswered;
  private long notSent;
  private int oneOfTheOthers;

  /** Latencies with the times at which they ended. */
  static final class Times {
    private long[] nanos = new long[1024];
    private long[] ends = new long[1024];
    private int count;

    private void add(long time, long end) {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, count * 2);
        ends = Arrays.copyOf(ends, count * 2);
      }
      nanos[count] = time;
      ends[count++] = end;
    }

    int count() {
      return count;
    }

    double millis(double percentile) {
      return Latencies.of(java.util.List.of(Arrays.copyOf(nanos, count))).millis(percentile);
    }
  }

  void begin(long startNanos, long forNanos) {
    start = startNanos;
    nanos = forNanos;
  }

  void add(OpenConnection answered) {
    long now = System.nanoTime();
    sent++;
    if (answered.isSuccess()) {
      successes.add(now - answered.due(), now);
      successesByPath.merge(answered.path(), 1, Integer::sum);
      inTime += now - start <= nanos ? 1 : 0;
    } else if (answered.status() == REFUSED) {
      rejections.add(now - answered.due(), now);
      rejectedWithoutTime += answered.saysWhen() ? 0 : 1;
    } else {
      others++;
      oneOfTheOthers = answered.status();
    }
  }

  /** Records how long after its due time a request was sent. */
  void late(long nanosLate) {
    lateness.add(nanosLate, 0);
  }

  void broken() {
    sent++;
    broken++;
  }

  void notSent() {
    notSent++;
  }

  void unanswered(long count) {
    unanswered = count;
    sent += count;
  }

  Times successes() {
    return successes;
  }

  Times rejections() {
    return rejections;
  }

  /** Whether every request was sent and succeeded. */
  boolean isFlawless() {
    return notSent == 0 && successes.count() == sent;
  }

  /** Successes per second, counting only those within the measurement. */
  double goodput() {
    return inTime / (nanos / 1e9);
  }

  /** Requests per second that were actually sent. */
  double offered() {
    return sent / (nanos / 1e9);
  }

  /** The percentage of each path among the successes; empty if there is only one path. */
  String mix() {
    int all = successes.count();
    return successesByPath.size() < 2
        ? ""
        : successesByPath.entrySet().stream()
            .map(each -> "%s %.0f".formatted(each.getKey(), 100.0 * each.getValue() / all))
            .collect(Collectors.joining(", "));
  }

  /**
   * Everything except successes and rejections with Retry-After; empty if there is nothing else.
   */
  String faults() {
    StringBuilder text = new StringBuilder();
    note(text, others, "answered " + oneOfTheOthers);
    note(text, rejectedWithoutTime, "rejected without Retry-After");
    note(text, broken, "broken");
    note(text, unanswered, "unanswered");
    note(text, notSent, "not sent, out of connections");
    double late = lateness.millis(99);
    note(text, late < LATE_MILLIS ? 0 : Math.round(late), "ms late at p99, sent by the driver");
    return text.toString();
  }

  private static void note(StringBuilder text, long count, String what) {
    if (count > 0) {
      text.append(text.isEmpty() ? "" : ", ").append("%,d %s".formatted(count, what));
    }
  }

  /**
   * Seconds from the start until the end of the last request that was rejected or took longer than
   * {@code slowMillis}.
   */
  double secondsUntilWell(double slowMillis) {
    long last = start;
    for (int i = 0; i < rejections.count; i++) {
      last = Math.max(last, rejections.ends[i]);
    }
    for (int i = 0; i < successes.count; i++) {
      if (successes.nanos[i] > slowMillis * 1e6) {
        last = Math.max(last, successes.ends[i]);
      }
    }
    return (last - start) / 1e9;
  }
}
