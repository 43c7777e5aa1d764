package io.stockroom.lab.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An external PostgreSQL behind PgBouncer in transaction mode, with the configuration that ships in
 * {@code packaging/pgbouncer}: kill -9 of all its processes.
 */
final class PooledKills {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What a node otherwise sets when it logs in, which PgBouncer cannot pass on. */
  private static final List<String> ROLE_SETTINGS =
      List.of(
          "jit = off",
          "plan_cache_mode = force_generic_plan",
          "statement_timeout = '10s'",
          "lock_timeout = '5s'");

  private PooledKills() {}

  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    if (!Laboratory.has("pgbouncer", "--version")) {
      throw new Experiment.Skipped("pgbouncer is not installed (Debian: apt install pgbouncer)");
    }
    Postgres postgres = Postgres.start(laboratory, "pooled-database");
    for (String setting : ROLE_SETTINGS) {
      postgres.execute("alter role %s set %s".formatted(postgres.user(), setting));
    }
    int port = laboratory.newPort();
    Process pgBouncer = startPgBouncer(laboratory, postgres, port);
    String url = Postgres.url("127.0.0.1:" + port) + "&prepareThreshold=0";
    Server server = Server.outside(laboratory, "pooled", url).start();
    new Rounds(laboratory, report, server::url, server.operator(), postgres::connect)
        .run(
            rounds,
            over -> {
              postgres.kill(() -> {});
              postgres.start();
              over.run();
            });
    server.stop();
    Processes.kill(pgBouncer.toHandle());
    postgres.stop();
  }

  private static Process startPgBouncer(Laboratory laboratory, Postgres postgres, int port)
      throws IOException {
    Path folder = laboratory.newFolder("pgbouncer");
    Path shipped =
        Path.of(System.getProperty("stockroom.home", "."), "packaging/pgbouncer/pgbouncer.ini");
    Files.copy(shipped, folder.resolve("shipped.ini"));
    Files.writeString(
        folder.resolve("userlist.txt"),
        "\"%s\" \"%s\"%n".formatted(postgres.user(), postgres.password()));
    Path file =
        Files.writeString(
            folder.resolve("pgbouncer.ini"),
            """
            %%include %1$s/shipped.ini
            [databases]
            stockroom = host=127.0.0.1 port=%2$d dbname=stockroom
            [pgbouncer]
            listen_port = %3$d
            auth_file = %1$s/userlist.txt
            """
                .formatted(folder, postgres.port(), port));
    Account.give(laboratory, folder);
    List<String> command = new ArrayList<>(Account.command());
    command.addAll(List.of("pgbouncer", file.toString()));
    Process started =
        laboratory
            .processes()
            .start(
                new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolveSibling("pgbouncer.log").toFile()));
    Await.until(PATIENCE, "PgBouncer", () -> answers(port, postgres));
    return started;
  }

  private static boolean answers(int port, Postgres postgres) {
    try (Connection connection = Postgres.connect(port, postgres.user(), postgres.password())) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }
}
