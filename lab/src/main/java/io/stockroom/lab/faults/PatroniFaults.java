package io.stockroom.lab.faults;

import io.stockroom.lab.Await;
import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Operator;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Failovers under load: clients work, the primary fails, Patroni lets another member take over, and
 * the failed one comes back while the clients go on. Nothing confirmed may be lost, and no read may
 * be stale.
 */
final class PatroniFaults {
  /** What happens to the primary. */
  enum Fault {
    KILL,
    CRASH,
    FREEZE,
    CUT
  }

  static final List<Experiment> ALL =
      List.of(
          fault("kill", Fault.KILL, 0, "kill -9 of PostgreSQL and Patroni"),
          fault("crash", Fault.CRASH, 1, "kill -9 of PostgreSQL only"),
          fault("freeze", Fault.FREEZE, 0, "both stop, and connections stay open"),
          fault("cut", Fault.CUT, 0, "the network to the machine drops everything"));

  private static final int LONG_ROUNDS = 25;
  private static final int CLIENTS = 4;
  private static final int BEFORE_FAULT = 20;
  private static final Duration MAX_OUTAGE = Duration.ofMinutes(2);

  /** How long clients go on beside a former primary that believes to be one still. */
  private static final Duration AFTERWARDS = Duration.ofSeconds(2);

  private static @Nullable PatroniFaults running;

  private final Laboratory laboratory;
  private final PatroniCluster cluster;
  private final String url;
  private final Operator operator;

  private PatroniFaults(Laboratory laboratory) throws IOException {
    laboratory.say("Starting etcd, three PostgreSQL and two nodes in " + laboratory.folder());
    this.laboratory = laboratory;
    this.cluster = new PatroniCluster(laboratory);
    this.url = cluster.startNodes();
    this.operator = new Operator(url, laboratory.operatorKey());
  }

  private static Experiment fault(String name, Fault fault, int shortRounds, String meaning) {
    return Experiment.of(
        name,
        shortRounds,
        LONG_ROUNDS,
        meaning,
        (stage, rounds, report) -> {
          PatroniFaults known = running;
          if (known == null) {
            known = new PatroniFaults(stage.laboratory());
            running = known;
          }
          known.run(fault, rounds, report);
        });
  }

  private void run(Fault fault, int rounds, Report report) {
    if (fault == Fault.CUT && !cluster.canCut()) {
      throw new Experiment.Skipped("only root can cut the network");
    }
    Rounds course =
        new Rounds(laboratory, report, () -> url, operator, cluster::sql).clients(CLIENTS);
    RegisterClients registers = RegisterClients.start(operator, cluster.sql(), () -> url);
    for (int round = 0; round < rounds; round++) {
      round(fault, course, report);
    }
    registers.stop(report);
    course.end();
  }

  private void round(Fault fault, Rounds course, Report report) {
    var _ = course.newMerchants();
    course.stockUp();
    Clients clients = new Clients(laboratory, course.merchants(), () -> url);
    clients.awaitAcknowledged(BEFORE_FAULT);
    Await.pause(Duration.ofMillis(laboratory.random().nextInt(300)));
    PatroniMember primary = cluster.primary();
    primary.strike(fault);
    clients.mark();
    report.recovered(clients.awaitEveryClient(MAX_OUTAGE));
    primary.repair(fault);
    Await.pause(AFTERWARDS);
    clients.stop();
    course.check();
    cluster.awaitComplete();
    String next = cluster.primary().name();
    if (next.equals(primary.name())) {
      report.fault("%s stayed the primary".formatted(next));
    }
    report.rounds(1);
  }
}
