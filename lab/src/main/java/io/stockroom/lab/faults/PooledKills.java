package io.stockroom.lab.faults;

import io.stockroom.lab.Await;
import io.stockroom.lab.DirectSql;
import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Postgres;
import io.stockroom.lab.Processes;
import io.stockroom.lab.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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

  static void run(Stage stage, int rounds, Report report) throws Exception {
    if (!Laboratory.has("pgbouncer")) {
      throw new Experiment.Skipped("pgbouncer is not installed (Debian: apt install pgbouncer)");
    }
    Laboratory laboratory = stage.laboratory();
    Postgres postgres = Postgres.start(laboratory, "pooled-database");
    for (String setting : ROLE_SETTINGS) {
      postgres.sql().execute("alter role %s set %s".formatted(postgres.sql().user(), setting));
    }
    int port = laboratory.newPort();
    Process pgBouncer = startPgBouncer(laboratory, postgres, port);
    String url = DirectSql.url("127.0.0.1:" + port) + "&prepareThreshold=0";
    Server server = Server.outside(laboratory, url).start();
    new Rounds(laboratory, report, server::url, server.operator(), postgres::sql)
        .run(rounds, postgres::kill, postgres::start);
    server.stop();
    Processes.kill(pgBouncer.toHandle());
    postgres.stop();
  }

  private static Process startPgBouncer(Laboratory laboratory, Postgres postgres, int port)
      throws IOException {
    DirectSql sql = postgres.sql();
    Path folder = laboratory.newFolder("pgbouncer");
    Path users = folder.resolve("userlist.txt");
    Files.writeString(users, "\"%s\" \"%s\"%n".formatted(sql.user(), sql.password()));
    String configuration =
        Files.readString(Laboratory.home().resolve("packaging/pgbouncer/pgbouncer.ini"));
    configuration = replace(configuration, "port=5000", "port=" + postgres.port());
    configuration = replace(configuration, "listen_port = 6432", "listen_port = " + port);
    configuration = replace(configuration, "/etc/pgbouncer/userlist.txt", users.toString());
    Path file = Files.writeString(folder.resolve("pgbouncer.ini"), configuration);
    // it refuses to run as root
    List<String> command =
        new ArrayList<>(Laboratory.isRoot() ? List.of("unshare", "-U") : List.of());
    command.addAll(List.of("pgbouncer", file.toString()));
    Path log = folder.resolveSibling("pgbouncer.log");
    Process started = laboratory.processes().start(command, Map.of(), log);
    Await.until(PATIENCE, "PgBouncer", DirectSql.local(port, sql.user(), sql.password())::answers);
    return started;
  }

  private static String replace(String text, String shipped, String ours) {
    if (!text.contains(shipped)) {
      throw new IllegalStateException("pgbouncer.ini no longer contains: " + shipped);
    }
    return text.replace(shipped, ours);
  }
}
