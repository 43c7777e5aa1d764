package io.stockroom.lab.faults;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The findings of an experiment. Repeated findings count once. */
final class Report {
  private final Set<String> lost = new LinkedHashSet<>();
  private final Set<String> half = new LinkedHashSet<>();
  private final Set<String> falseSuccesses = new LinkedHashSet<>();
  private final Set<String> faults = new LinkedHashSet<>();
  private final List<Long> recoveryMillis = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private int rounds;
  private long acknowledged;
  private long unknown;
  private long slowestMillis;
  private boolean watchesSuccesses;

  void round() {
    rounds++;
  }

  void rounds(int count) {
    rounds += count;
  }

  void counted(long acknowledgedRequests, long unknownRequests) {
    acknowledged += acknowledgedRequests;
    unknown += unknownRequests;
  }

  void recovered(long millis) {
    recoveryMillis.add(millis);
  }

  /** Notes that this experiment checks for successes the server cannot have known. */
  void watchSuccesses() {
    watchesSuccesses = true;
  }

  void lost(String what) {
    lost.add(what);
  }

  void half(String what) {
    half.add(what);
  }

  void falseSuccess(String what) {
    falseSuccesses.add(what);
  }

  synchronized void fault(String what) {
    faults.add(what);
  }

  void slowest(long millis) {
    slowestMillis = Math.max(slowestMillis, millis);
  }

  void remark(String what) {
    remarks.add(what);
  }

  long acknowledged() {
    return acknowledged;
  }

  int lost() {
    return lost.size();
  }

  int half() {
    return half.size();
  }

  long worstRecoveryMillis() {
    return recoveryMillis.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  boolean isClean() {
    return lost.isEmpty() && half.isEmpty() && falseSuccesses.isEmpty() && faults.isEmpty();
  }

  List<String> remarks() {
    List<String> all = new ArrayList<>(remarks);
    if (slowestMillis > 0) {
      all.add("the slowest response took " + seconds(slowestMillis));
    }
    return all;
  }

  /** The first of each kind of finding. */
  List<String> findings() {
    List<String> all = new ArrayList<>();
    lost.stream().limit(5).forEach(what -> all.add("lost: " + what));
    half.stream().limit(5).forEach(what -> all.add("partially applied: " + what));
    falseSuccesses.stream().limit(5).forEach(what -> all.add("false success: " + what));
    faults.stream().limit(10).forEach(all::add);
    return all;
  }

  /** A short summary, for runs that are stopped before the table. */
  String summary() {
    return "%s, %d acknowledged, %d lost, %d partial, %d false, %d other"
        .formatted(
            inWords(rounds),
            acknowledged,
            lost.size(),
            half.size(),
            falseSuccesses.size(),
            faults.size());
  }

  static String inWords(int rounds) {
    return rounds == 1 ? "1 round" : rounds + " rounds";
  }

  /** The table cells after the name. */
  List<String> cells() {
    long[] sorted = recoveryMillis.stream().mapToLong(Long::longValue).sorted().toArray();
    return List.of(
        Integer.toString(rounds),
        Long.toString(acknowledged),
        Long.toString(unknown),
        Integer.toString(lost.size()),
        Integer.toString(half.size()),
        watchesSuccesses ? Integer.toString(falseSuccesses.size()) : "-",
        Integer.toString(faults.size()),
        sorted.length == 0 ? "-" : seconds(sorted[sorted.length / 2]),
        sorted.length == 0 ? "-" : seconds(sorted[sorted.length - 1]));
  }

  private static String seconds(long millis) {
    return "%.2f s".formatted(millis / 1000.0);
  }
}
