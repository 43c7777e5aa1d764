package io.stockroom.lab.bench;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What became of the requests of one measurement. */
final class Outcomes {
  private static final int REFUSED = 503;

  /** What was sent later than this tells more of the driver than of the server. */
  private static final long LATE_MILLIS = 20;

  private final Times successes = new Times();
  private final Times refusals = new Times();
  private final Times lateness = new Times();
  private final Map<String, Integer> successesByPath = new TreeMap<>();
  private long start;
  private long nanos;
  private long sent;
  private long inTime;
  private long refusedWithoutTime;
  private long others;
  private long broken;
  private long unanswered;
  private long notSent;
  private int oneOfTheOthers;

  /** Times with the moments at which they ended. */
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
      refusals.add(now - answered.due(), now);
      refusedWithoutTime += answered.saysWhen() ? 0 : 1;
    } else {
      others++;
      oneOfTheOthers = answered.status();
    }
  }

  /** A request went out so long after the moment at which it was due. */
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

  Times refusals() {
    return refusals;
  }

  /** Successes a second, of those that came before the time was over. */
  double goodput() {
    return inTime / (nanos / 1e9);
  }

  /** Requests a second that were really sent. */
  double offered() {
    return sent / (nanos / 1e9);
  }

  /** The share of each address among the successes, in hundredths; empty where there is one. */
  String mix() {
    int all = successes.count();
    return successesByPath.size() < 2
        ? ""
        : successesByPath.entrySet().stream()
            .map(each -> "%s %.0f".formatted(each.getKey(), 100.0 * each.getValue() / all))
            .collect(Collectors.joining(", "));
  }

  /**
   * What is neither a success nor a refusal that says when to come again; empty where all is well.
   */
  String faults() {
    StringBuilder text = new StringBuilder();
    note(text, others, "answered " + oneOfTheOthers);
    note(text, refusedWithoutTime, "refused without Retry-After");
    note(text, broken, "broken");
    note(text, unanswered, "unanswered");
    note(text, notSent, "not sent for want of connections");
    double late = lateness.millis(99);
    note(text, late < LATE_MILLIS ? 0 : Math.round(late), "ms or more late, one in a hundred sent");
    return text.toString();
  }

  private static void note(StringBuilder text, long count, String what) {
    if (count > 0) {
      text.append(text.isEmpty() ? "" : ", ").append("%,d %s".formatted(count, what));
    }
  }

  /**
   * Seconds from the start until everything went well from then on: the end of the last request
   * that was refused, or that took longer than {@code slowMillis}.
   */
  double secondsUntilWell(double slowMillis) {
    long last = start;
    for (int i = 0; i < refusals.count; i++) {
      last = Math.max(last, refusals.ends[i]);
    }
    for (int i = 0; i < successes.count; i++) {
      if (successes.nanos[i] > slowMillis * 1e6) {
        last = Math.max(last, successes.ends[i]);
      }
    }
    return (last - start) / 1e9;
  }
}
