package io.stockroom.lab.faults;

import java.time.Duration;
import java.util.Random;

/** A bad network between server and database: slow, then every connection is cut at once. */
final class Cuts {
  private Cuts() {}

  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    Postgres postgres = Postgres.start(laboratory, "cut-database");
    try (PostgresProxy proxy = PostgresProxy.before(laboratory, postgres)) {
      Server server = Server.outside(laboratory, "cut", proxy.url()).start();
      Random random = laboratory.random();
      new Rounds(laboratory, report, server::url, server.operator(), postgres::connect)
          .run(
              rounds,
              over -> {
                proxy.delay(Duration.ofMillis(random.nextInt(1, 20)));
                Await.pause(Duration.ofMillis(random.nextInt(50, 200)));
                proxy.cutAll();
                proxy.delay(Duration.ZERO);
                over.run();
              });
      server.leave();
    }
    postgres.leave();
  }
}
