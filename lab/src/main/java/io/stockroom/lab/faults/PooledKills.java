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
      List.of("jit = off", "statement_timeout = '10s'", "lock_timeout = '5s'");

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
    postgres.execute("alter role %s reset all".formatted(postgres.user()));
    postgres.leave();
  }

  private static Process startPgBouncer(Laboratory laboratory, Postgres postgres, int port)
      throws IOException {
    Path folder = laboratory.newFolder("pgbouncer");
    Path users =
        Files.writeString(
            folder.resolve("userlist.txt"),
            "\"%s\" \"%s\"%n".formatted(postgres.user(), postgres.password()));
    String configuration =
        Files.readString(
            Path.of(
                System.getProperty("stockroom.home", "."), "packaging/pgbouncer/pgbouncer.ini"));
    configuration = replace(configuration, "port=5000", "port=" + postgres.port());
    configuration = replace(configuration, "listen_port = 6432", "listen_port = " + port);
    configuration = replace(configuration, "/etc/pgbouncer/userlist.txt", users.toString());
    Path file = Files.writeString(folder.resolve("pgbouncer.ini"), configuration);
    List<String> command = new ArrayList<>();
    // it refuses to run as root
    if (Laboratory.isRoot()) {
      command.addAll(List.of("unshare", "-U"));
    }
    command.addAll(List.of("pgbouncer", file.toString()));
    Process started =
        laboratory
            .processes()
            .start(
                new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolveSibling("pgbouncer.log").toFile()));
    Await.untilSeldom(PATIENCE, "PgBouncer", () -> answers(port, postgres));
    return started;
  }

  private static String replace(String text, String shipped, String ours) {
    if (!text.contains(shipped)) {
      throw new IllegalStateException("pgbouncer.ini no longer contains: " + shipped);
    }
    return text.replace(shipped, ours);
  }

  private static boolean answers(int port, Postgres postgres) {
    try (Connection connection = Postgres.connect(port, postgres.user(), postgres.password())) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }
}
