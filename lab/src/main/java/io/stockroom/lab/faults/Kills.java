package io.stockroom.lab.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** {@code kill -9} at random times: of servers, of databases, of both. */
final class Kills {
  private static final int NODES = 2;

  private Kills() {}

  /** Only the server. Its PostgreSQL keeps running, and the next start has to handle it. */
  static void server(Laboratory laboratory, int rounds, Report report) throws Exception {
    Server server = Server.embedded(laboratory, "server-killed").start();
    rounds(laboratory, server, report)
        .run(
            rounds,
            over -> {
              server.kill(over);
              server.start();
            });
    server.leave();
  }

  /** All processes of the embedded PostgreSQL; the server has to restart it. */
  static void embeddedPostgres(Laboratory laboratory, int rounds, Report report) throws Exception {
    Server server = Server.embedded(laboratory, "postgres-killed").start();
    rounds(laboratory, server, report).run(rounds, server::killDatabase);
    server.stop();
  }

  /** Server and PostgreSQL together, as when the machine crashes but its disk survives. */
  static void both(Laboratory laboratory, int rounds, Report report) throws Exception {
    Server server = Server.embedded(laboratory, "both-killed").start();
    rounds(laboratory, server, report)
        .run(
            rounds,
            over -> {
              server.killWithDatabase(over);
              server.start();
            });
    server.stop();
  }

  private static Rounds rounds(Laboratory laboratory, Server server, Report report) {
    return new Rounds(laboratory, report, server::url, server.operator(), server::connect);
  }

  /** One of several servers on an external database; the others keep working. */
  static void node(Laboratory laboratory, int rounds, Report report) throws Exception {
    Postgres postgres = Postgres.start(laboratory, "node-killed-database");
    String url = postgres.url();
    List<Server> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      nodes.add(Server.outside(laboratory, "node", url));
    }
    Server.startAll(nodes);
    AtomicInteger turn = new AtomicInteger();
    AtomicInteger victims = new AtomicInteger();
    new Rounds(
            laboratory,
            report,
            () -> nodes.get(turn.getAndIncrement() % NODES).url(),
            nodes.getFirst().operator(),
            postgres::connect)
        .run(
            rounds,
            over -> {
              Server victim = nodes.get(victims.getAndIncrement() % NODES);
              victim.kill(() -> {});
              victim.start();
              over.run();
            });
    Server.leaveAll(nodes);
    postgres.leave();
  }

  /** All processes of an external PostgreSQL, restarted immediately. */
  static void outsidePostgres(Laboratory laboratory, int rounds, Report report) throws Exception {
    Postgres postgres = Postgres.start(laboratory, "outside-killed");
    Server server = outside(laboratory, postgres);
    new Rounds(laboratory, report, server::url, server.operator(), postgres::connect)
        .run(
            rounds,
            over -> {
              postgres.kill(() -> {});
              postgres.start();
              over.run();
            });
    server.leave();
    postgres.leave();
  }

  /** One busy PostgreSQL process; PostgreSQL then ends all others and recovers by itself. */
  static void backend(Laboratory laboratory, int rounds, Report report) throws Exception {
    Postgres postgres = Postgres.start(laboratory, "backend-killed");
    Server server = outside(laboratory, postgres);
    new Rounds(laboratory, report, server::url, server.operator(), postgres::connect)
        .run(rounds, postgres::killBackend);
    server.leave();
    postgres.leave();
  }

  private static Server outside(Laboratory laboratory, Postgres postgres) {
    return Server.outside(laboratory, "server", postgres.url()).start();
  }
}
