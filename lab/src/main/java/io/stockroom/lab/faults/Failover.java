package io.stockroom.lab.faults;

import java.time.Duration;

/**
 * A primary with a synchronous standby: the primary dies for good and the standby takes over. The
 * server knows both addresses and connects to the primary.
 */
final class Failover {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Postgres primary;
  private Postgres standby;

  Failover(Laboratory laboratory) throws Exception {
    this.primary = Postgres.startNew(laboratory, "primary");
    this.standby = attach(laboratory.newPort());
  }

  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    Failover pair = new Failover(laboratory);
    Server server = Server.outside(laboratory, "failover", pair.url()).start();
    new Rounds(laboratory, report, server::url, server.operator(), () -> pair.primary.connect())
        .run(rounds, over -> pair.failOver(over), pair::attach);
    server.stop();
  }

  /** The JDBC URL of both; it leads to the primary. */
  String url() {
    String hosts = "127.0.0.1:%d,127.0.0.1:%d".formatted(primary.port(), standby.port());
    return Postgres.url(hosts) + "&targetServerType=primary&hostRecheckSeconds=1";
  }

  Postgres primary() {
    return primary;
  }

  /** Gives the new primary a synchronous standby in the place of the dead one. */
  void attach() throws Exception {
    standby = attach(standby.port());
  }

  /** Attaches a synchronous standby to the current primary. */
  private Postgres attach(int port) throws Exception {
    Postgres fresh = primary.standby("standby", port);
    fresh.start();
    primary.execute("alter system set synchronous_standby_names = '*'");
    primary.execute("select pg_reload_conf()");
    Await.untilSeldom(
        PATIENCE,
        "the standby to be synchronous",
        () -> {
          try {
            return primary.text("select sync_state from pg_stat_replication").equals("sync");
          } catch (java.sql.SQLException e) {
            return false;
          }
        });
    return fresh;
  }

  /** Kills the primary and promotes the standby. */
  void failOver(Runnable over) throws Exception {
    Postgres dead = primary;
    dead.kill(() -> {});
    standby.execute("select pg_promote()");
    over.run();
    primary = standby;
    standby = dead;
  }
}
