package io.stockroom.lab.faults;

import java.util.List;

/**
 * A repeated fault.
 *
 * @param name as in {@code --only} and in the table
 * @param shortRounds rounds with {@code --short}; 0 leaves it out
 * @param longRounds rounds without it
 */
record Experiment(String name, String meaning, int shortRounds, int longRounds, Body body) {
  /** Runs {@code rounds} rounds and reports the results. */
  interface Body {
    void run(Stage stage, int rounds, Report report) throws Exception;
  }

  /** Thrown if this machine lacks what an experiment needs. */
  static final class Skipped extends RuntimeException {
    private static final long serialVersionUID = 1;

    Skipped(String reason) {
      super(reason);
    }
  }

  static Experiment of(String name, int shortRounds, int longRounds, String meaning, Body body) {
    return new Experiment(name, meaning, shortRounds, longRounds, body);
  }

  /** All experiments in the order in which they run. */
  static final List<Experiment> ALL =
      List.of(
          of("control", 1, 5, "durability switched off: the oracle must notice", Control::run),
          of("server-killed", 1, 50, "kill -9 of the server alone", Kills::server),
          of("postgres-killed", 1, 250, "kill -9 of its embedded PostgreSQL", Kills::embedded),
          of("both-killed", 0, 50, "kill -9 of both together", Kills::both),
          of("node-killed", 1, 100, "kill -9 of one of two nodes", Kills::node),
          of("outside-killed", 1, 250, "kill -9 of an outside PostgreSQL", Kills::outside),
          of("backend-killed", 0, 300, "kill -9 of one process of PostgreSQL", Kills::backend),
          of("pooled-killed", 1, 50, "kill -9 of PostgreSQL behind PgBouncer", PooledKills::run),
          of("commit-lost", 20, 10_000, "the connection breaks at COMMIT", LostCommits::run),
          of("stall", 1, 2, "the database does not answer for 60 s (short: 3 s)", Stalls::run),
          of("disk-full", 1, 5, "the disk fills up and is freed", DiskFaults::full),
          of("sync-fails", 0, 5, "fsync and fdatasync fail for a while", DiskFaults::sync),
          of("rolling-restart", 1, 28, "two nodes restart in turn, no call fails", Restarts::run),
          of("delivery-killed", 1, 20, "kill -9 of a node that delivers", DeliveryKills::run),
          of("cell-killed", 0, 20, "kill -9 of one of three cells", Kills::cell),
          of("cell-stalled", 1, 20, "one of three cells is frozen", Kills::cellStalled),
          of("directory-killed", 1, 20, "kill -9 of the directory", Kills::directory),
          of("move-interrupted", 1, 20, "kill -9 while a merchant moves", MoveFaults::run));
}
