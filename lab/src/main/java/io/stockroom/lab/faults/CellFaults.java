package io.stockroom.lab.faults;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Three databases: the directory with the cell {@code main}, and the cells {@code east} and {@code
 * west}. One of them fails; only its own merchants may notice.
 */
final class CellFaults {
  private static final List<String> CELLS = List.of("main", "east", "west");
  private static final int EAST = 1;
  private static final int DIRECTORY = 0;
  private static final int CLIENTS_PER_CELL = 3;
  private static final long MAX_ANSWER_MILLIS = 2_000;
  private static final double MAX_SLOWDOWN = 1.2;
  private static final Duration SHORT_OUTAGE = Duration.ofSeconds(3);
  private static final Duration LONG_OUTAGE = Duration.ofSeconds(20);
  private static final Duration MAX_RECOVERY = Duration.ofSeconds(60);

  private interface Blow {
    void strike(Postgres postgres);
  }

  private final Laboratory laboratory;
  private final Report report;
  private final List<Postgres> databases = new ArrayList<>();
  private final List<Rounds> courses = new ArrayList<>();
  private final Server server;

  private CellFaults(Laboratory laboratory, Report report) throws SQLException {
    this.laboratory = laboratory;
    this.report = report;
    for (String cell : CELLS) {
      databases.add(Postgres.start(laboratory, "cell-" + cell));
    }
    this.server = Server.outside(laboratory, "cells", databases.getFirst().url()).start();
    for (int i = 0; i < CELLS.size(); i++) {
      Postgres database = databases.get(i);
      if (i != DIRECTORY) {
        database.addAsCell(CELLS.get(i), databases.getFirst(), server.operator());
      }
      courses.add(
          new Rounds(laboratory, report, server::url, server.operator(), database::connect)
              .clients(laboratory.brief() ? 1 : CLIENTS_PER_CELL)
              .in(CELLS.get(i)));
    }
  }

  static void cellKilled(Laboratory laboratory, int rounds, Report report) throws Exception {
    new CellFaults(laboratory, report)
        .run(rounds, EAST, database -> database.kill(() -> {}), Postgres::start);
  }

  static void cellStalled(Laboratory laboratory, int rounds, Report report) throws Exception {
    new CellFaults(laboratory, report).run(rounds, EAST, Postgres::freeze, Postgres::thaw);
  }

  /** The merchants of {@code main} lose their database, too. */
  static void directoryKilled(Laboratory laboratory, int rounds, Report report) throws Exception {
    new CellFaults(laboratory, report)
        .run(rounds, DIRECTORY, database -> database.kill(() -> {}), Postgres::start);
  }

  private void run(int rounds, int struck, Blow breaks, Blow repairs) throws Exception {
    for (int round = 0; round < rounds; round++) {
      // merchants of an earlier round would bring its fault into the times before this one
      courses.forEach(Rounds::settle);
      courses.forEach(Rounds::newMerchants);
      for (Rounds course : courses) {
        course.stockUp();
      }
      round(struck, breaks, repairs);
      for (Rounds course : courses) {
        course.check();
      }
      report.round();
    }
    courses.forEach(Rounds::settle);
    courses.getFirst().verifyTrail();
    server.leave();
    databases.forEach(Postgres::leave);
  }

  private void round(int struck, Blow breaks, Blow repairs) {
    List<Merchant> hit = courses.get(struck).merchants();
    List<Merchant> others =
        courses.stream().flatMap(course -> course.merchants().stream()).toList();
    others = others.stream().filter(merchant -> !hit.contains(merchant)).toList();
    Clients ofStruck = Clients.start(laboratory, hit, server::url);
    Clients ofOthers = Clients.start(laboratory, others, server::url);
    Duration outage = laboratory.brief() ? SHORT_OUTAGE : LONG_OUTAGE;
    ofStruck.awaitAcknowledged(hit.size());
    ofOthers.awaitAcknowledged(others.size());
    Await.pause(outage.dividedBy(3));
    List<Long> before = others.stream().map(Merchant::requests).toList();
    int failedBefore = ofOthers.failed();
    Map<String, Integer> failuresBefore = ofOthers.failures();
    int servedBefore = ofOthers.acknowledged();
    breaks.strike(databases.get(struck));
    Downtime.watch(server, outage, report);
    int failed = ofOthers.failed() - failedBefore;
    int served = ofOthers.acknowledged() - servedBefore;
    Map<String, Integer> failures = ofOthers.failures();
    failuresBefore.forEach((what, count) -> failures.merge(what, -count, Integer::sum));
    failures.values().removeIf(count -> count == 0);
    List<Long> during = others.stream().map(Merchant::requests).toList();
    repairs.strike(databases.get(struck));
    ofStruck.mark();
    report.recovered(ofStruck.awaitSuccess(MAX_RECOVERY));
    ofStruck.stop();
    ofOthers.stop();
    judge(hit, others, before, during, served, failed + " failed " + failures);
  }

  private void judge(
      List<Merchant> hit,
      List<Merchant> others,
      List<Long> before,
      List<Long> during,
      int served,
      String failed) {
    long slowest =
        hit.stream().flatMap(CellFaults::millis).mapToLong(Long::longValue).max().orElse(0);
    report.slowest(slowest);
    if (slowest > MAX_ANSWER_MILLIS) {
      report.fault("a response took %d ms".formatted(slowest));
    }
    if (served == 0) {
      report.fault("no merchant of another cell was served during the fault");
    }
    List<Long> early = new ArrayList<>();
    List<Long> late = new ArrayList<>();
    for (int i = 0; i < others.size(); i++) {
      early.addAll(between(others.get(i), 0, before.get(i)));
      late.addAll(between(others.get(i), before.get(i), during.get(i)));
    }
    report.remark(
        "the other cells: p99 %d ms before, %d ms during the fault; %d served, %s"
            .formatted(p99(early), p99(late), served, failed));
    // short forms run on busy machines
    if (!laboratory.brief() && p99(late) > MAX_SLOWDOWN * p99(early) + 1) {
      report.fault("the merchants of other cells became slower");
    }
  }

  /** An import responds when it is done; its time says nothing about a call. */
  private static Stream<Long> millis(Merchant merchant) {
    return Journal.read(merchant.journalFile()).values().stream()
        .filter(entry -> entry.intent().kind() != Kind.IMPORT)
        .map(Journal.Entry::longestMillis);
  }

  private static List<Long> between(Merchant merchant, long after, long last) {
    return Journal.read(merchant.journalFile()).values().stream()
        .filter(entry -> entry.intent().kind() != Kind.IMPORT)
        .filter(entry -> entry.intent().number() > after && entry.intent().number() <= last)
        .map(Journal.Entry::longestMillis)
        .toList();
  }

  private static long p99(List<Long> millis) {
    List<Long> sorted = millis.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get((int) Math.ceil(sorted.size() * 0.99) - 1);
  }
}
