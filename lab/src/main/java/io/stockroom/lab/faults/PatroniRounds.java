package io.stockroom.lab.faults;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Failovers under load: clients work, the primary fails, another member takes over, the failed one
 * comes back while the clients go on. Then the oracle checks, and once more at the end, when later
 * failovers may have undone something.
 */
final class PatroniRounds {
  private static final int CLIENTS = 4;
  private static final int BEFORE_FAULT = 20;
  private static final int WITHOUT_REPLICATION = 40;
  private static final Duration MAX_OUTAGE = Duration.ofMinutes(2);

  /** How long clients go on beside a former primary that believes to be one still. */
  private static final Duration AFTERWARDS = Duration.ofSeconds(2);

  private final Laboratory laboratory;
  private final PatroniCluster cluster;
  private final Report report;
  private final String url;
  private final Rounds course;
  private int rounds;
  private final List<Merchant> all = new ArrayList<>();
  private final Map<PatroniFault, List<Long>> outages = new EnumMap<>(PatroniFault.class);

  PatroniRounds(Laboratory laboratory, PatroniCluster cluster, String url, Report report) {
    this.laboratory = laboratory;
    this.cluster = cluster;
    this.report = report;
    this.url = url;
    Operator operator = new Operator(url, laboratory.operatorKey());
    this.course =
        new Rounds(laboratory, report, () -> url, operator, cluster::connect).clients(CLIENTS);
  }

  /** Milliseconds without a success, by fault. */
  Map<PatroniFault, List<Long>> outages() {
    return outages;
  }

  /** One round; {@code behind}: the standbys lack the last confirmed changes. */
  void round(PatroniFault fault, boolean behind) throws Exception {
    Random random = laboratory.random();
    all.addAll(course.newMerchants());
    course.stockUp();
    Clients clients = Clients.start(laboratory, course.merchants(), () -> url);
    clients.awaitAcknowledged(BEFORE_FAULT);
    Await.pause(Duration.ofMillis(random.nextInt(300)));
    PatroniMember primary = cluster.primary();
    if (behind) {
      cluster.holdReplication();
      clients.awaitAcknowledged(clients.acknowledged() + WITHOUT_REPLICATION);
    }
    fault.strike(primary);
    clients.mark();
    long outage = clients.awaitEveryClient(MAX_OUTAGE);
    outages.computeIfAbsent(fault, _ -> new ArrayList<>()).add(outage);
    fault.repair(primary);
    Await.pause(AFTERWARDS);
    clients.stop();
    course.check();
    course.settle();
    cluster.awaitComplete();
    String next = cluster.primary().name();
    if (next.equals(primary.name())) {
      report.fault("%s: %s stayed the primary".formatted(fault, next));
    }
    report.recovered(outage);
    report.round();
    laboratory.say(
        "  %d: %s of %s: %.1f s, then %s"
            .formatted(++rounds, fault.title(), primary.name(), outage / 1000.0, next));
  }

  /** Checks the requests of all rounds again. */
  void finish() throws Exception {
    try (Connection connection = cluster.connect()) {
      for (Merchant merchant : all) {
        Oracle.judge(merchant, Oracle.look(connection, merchant, report), report);
      }
    }
    course.verifyTrail();
  }
}
