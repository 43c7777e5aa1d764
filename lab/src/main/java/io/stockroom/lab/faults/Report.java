package io.stockroom.lab.faults;

import io.stockroom.lab.Percentiles;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The findings of an experiment. Repeated findings count once. */
final class Report {
  /** A broken guarantee. */
  enum Finding {
    /** Acknowledged but not complete. */
    LOST,
    /** Partly stored. */
    PARTIAL,
    /** A success that the server cannot have known. */
    FALSE,
    OTHER
  }

  /** The head of the table of all experiments, in Markdown. */
  static final String HEAD =
      """
      | fault | rounds | acknowledged | unknown | lost | partial | false | other | recovery p50 | max |
      |---|---|---|---|---|---|---|---|---|---|
      """;

  private static final int SHOWN = 10;

  private final Map<Finding, Set<String>> findings = new EnumMap<>(Finding.class);
  private final List<Double> recoveries = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private int rounds;
  private long acknowledged;
  private long unknown;
  private double slowestMillis;

  void rounds(int count) {
    rounds += count;
  }

  synchronized void counted(long acknowledgedRequests, long unknownRequests) {
    acknowledged += acknowledgedRequests;
    unknown += unknownRequests;
  }

  void recovered(double millis) {
    recoveries.add(millis);
  }

  synchronized void add(Finding kind, String what) {
    findings.computeIfAbsent(kind, _ -> new LinkedHashSet<>()).add(what);
  }

  void lost(String what) {
    add(Finding.LOST, what);
  }

  void fault(String what) {
    add(Finding.OTHER, what);
  }

  void remark(String what, Object... values) {
    remarks.add(what.formatted(values));
  }

  void slowest(Collection<Double> millis) {
    slowestMillis = Math.max(slowestMillis, Percentiles.of(millis).at(1));
  }

  double slowestMillis() {
    return slowestMillis;
  }

  double slowestRecoveryMillis() {
    return Percentiles.of(recoveries).at(1);
  }

  long acknowledged() {
    return acknowledged;
  }

  int count(Finding kind) {
    return findings.getOrDefault(kind, Set.of()).size();
  }

  boolean isClean() {
    return findings.isEmpty();
  }

  List<String> remarks() {
    return remarks;
  }

  /** The first of each kind of finding. */
  List<String> findings() {
    List<String> all = new ArrayList<>();
    findings.forEach(
        (kind, found) -> found.stream().limit(SHOWN).forEach(each -> all.add(kind + ": " + each)));
    return all;
  }

  /** A row of the table. */
  String row(String name) {
    Percentiles recovery = Percentiles.of(recoveries);
    return "| %s | %d | %,d | %,d | %d | %d | %d | %d | %s | %s |"
        .formatted(
            name,
            rounds,
            acknowledged,
            unknown,
            count(Finding.LOST),
            count(Finding.PARTIAL),
            count(Finding.FALSE),
            count(Finding.OTHER),
            seconds(recovery, 0.5),
            seconds(recovery, 1));
  }

  private static String seconds(Percentiles millis, double share) {
    return millis.count() == 0 ? "" : "%.2f s".formatted(millis.at(share) / 1000);
  }
}
