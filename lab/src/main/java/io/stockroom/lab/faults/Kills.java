package io.stockroom.lab.faults;

import io.stockroom.lab.Answer;
import io.stockroom.lab.Await;
import io.stockroom.lab.Postgres;
import io.stockroom.lab.Processes;
import io.stockroom.lab.Server;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** {@code kill -9} at random times: of servers, of databases, of both, and of connections. */
final class Kills {
  /** To merchants of other cells, while one is down. */
  private static final int CALLS = 10;

  private Kills() {}

  /** Its PostgreSQL keeps running, and the next start has to handle it. */
  static void server(Stage stage, int rounds, Report report) throws Exception {
    Server server = stage.embedded();
    stage.rounds(report, server).run(rounds, server::kill, server::start);
  }

  /** The server has to restart its PostgreSQL. */
  static void embedded(Stage stage, int rounds, Report report) throws Exception {
    Server server = stage.embedded();
    stage.rounds(report, server).run(rounds, () -> Processes.kill(server.postmaster()));
  }

  /** As when the machine crashes but its disk survives. */
  static void both(Stage stage, int rounds, Report report) throws Exception {
    Server server = stage.embedded();
    stage.rounds(report, server).run(rounds, server::killWithDatabase, server::start);
  }

  /** The other node keeps working. */
  static void node(Stage stage, int rounds, Report report) throws Exception {
    AtomicInteger victims = new AtomicInteger();
    stage
        .rounds(report)
        .run(
            rounds,
            () -> stage.nodes().get(victims.get() % 2).kill(),
            () -> stage.nodes().get(victims.getAndIncrement() % 2).start());
  }

  static void outside(Stage stage, int rounds, Report report) throws Exception {
    Postgres postgres = stage.postgres();
    stage.rounds(report).run(rounds, postgres::kill, postgres::start);
  }

  /** PostgreSQL then ends all its other processes, and recovers by itself. */
  static void backend(Stage stage, int rounds, Report report) throws Exception {
    stage.rounds(report).run(rounds, stage.postgres()::killBackend);
  }

  /** The merchants of the directory's database go on. */
  static void cell(Stage stage, int rounds, Report report) throws Exception {
    Postgres east = stage.cell("east");
    Rounds others = stage.rounds(report);
    others.run(rounds, () -> strike(stage, others, east::kill, report), east::start);
  }

  static void cellStalled(Stage stage, int rounds, Report report) throws Exception {
    Postgres east = stage.cell("east");
    Rounds others = stage.rounds(report);
    others.run(rounds, () -> strike(stage, others, east::freeze, report), east::thaw);
  }

  /** The merchants of another cell go on, with credentials that the nodes remember. */
  static void directory(Stage stage, int rounds, Report report) throws Exception {
    Postgres directory = stage.postgres();
    Rounds others =
        new Rounds(
                stage.laboratory(), report, stage::url, stage.operator(), stage.cell("east")::sql)
            .in("east");
    others.run(rounds, () -> strike(stage, others, directory::kill, report), directory::start);
  }

  /**
   * Strikes a database, and requires that merchants whose data is elsewhere are served, at the
   * latest when the nodes have noticed that the database does not answer.
   */
  private static void strike(Stage stage, Rounds others, Runnable blow, Report report) {
    Merchant merchant = others.merchants().getFirst();
    blow.run();
    int served = 0;
    for (int i = 0; i < CALLS; i++) {
      Answer answer = merchant.send(stage.url(), merchant.next(Kind.CREATE));
      served += answer.isDone() ? 1 : 0;
      if (answer.millis() > Stalls.MAX_ANSWER_MILLIS) {
        report.fault("a merchant of another cell waited %.0f ms".formatted(answer.millis()));
      }
      Await.pause(Duration.ofMillis(300));
    }
    report.remark("merchants of another cell: %d of %d calls were served".formatted(served, CALLS));
    if (served == 0) {
      report.fault("no merchant of another cell was served during the fault");
    }
  }
}
