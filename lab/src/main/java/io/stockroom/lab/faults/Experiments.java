package io.stockroom.lab.faults;

import java.util.List;

/** All experiments in the order they run. */
final class Experiments {
  static final List<Experiment> ALL =
      List.of(
          new Experiment(
              "control",
              "durability switched off: the oracle must notice the loss",
              1,
              5,
              Control::run),
          new Experiment(
              "server-killed",
              "kill -9 of the server; its PostgreSQL keeps running",
              1,
              50,
              Kills::server),
          new Experiment(
              "postgres-killed",
              "kill -9 of every process of the embedded PostgreSQL",
              1,
              250,
              Kills::embeddedPostgres),
          new Experiment(
              "both-killed", "kill -9 of server and PostgreSQL together", 0, 50, Kills::both),
          new Experiment(
              "node-killed",
              "kill -9 of one of two servers on an outside database",
              0,
              100,
              Kills::node),
          new Experiment(
              "outside-killed",
              "kill -9 of every process of an outside PostgreSQL",
              0,
              250,
              Kills::outsidePostgres),
          new Experiment(
              "pooled-killed",
              "the same behind PgBouncer in transaction mode",
              1,
              50,
              PooledKills::run),
          new Experiment(
              "backend-killed", "kill -9 of one process of PostgreSQL", 0, 300, Kills::backend),
          new Experiment(
              "commit-lost",
              "the connection breaks at COMMIT, before or after it took effect",
              20,
              10_000,
              LostCommits::run),
          new Experiment(
              "connections-cut", "a slow network, then every connection is cut", 0, 100, Cuts::run),
          new Experiment(
              "stall",
              "the database does not answer for 60 s (short form: 3 s)",
              1,
              2,
              Stalls::run),
          new Experiment("disk-full", "the disk fills up and is freed", 1, 5, FullDisk::run),
          new Experiment(
              "sync-fails", "fsync and fdatasync fail for a while", 0, 5, FailingSync::run),
          new Experiment(
              "clock-steps", "one node's clock steps by up to a day", 0, 2, ClockSteps::run),
          new Experiment(
              "rolling-restart",
              "nodes behind HAProxy are restarted one by one; no request may fail",
              1,
              28,
              RollingRestart::run),
          new Experiment(
              "delivery-killed",
              "kill -9 of a node while it waits for a webhook's receiver",
              1,
              20,
              DeliveryKills::run),
          new Experiment(
              "receivers",
              "receivers hang, reset, redirect, and answer 500 for an hour (stepped clock)",
              1,
              5,
              FailingReceivers::run),
          new Experiment(
              "cell-killed",
              "kill -9 of one of three cells; the merchants of the others go on",
              0,
              20,
              CellFaults::cellKilled),
          new Experiment(
              "cell-stalled",
              "one of three cells is frozen; the merchants of the others go on",
              1,
              20,
              CellFaults::cellStalled),
          new Experiment(
              "directory-killed",
              "kill -9 of the directory; the merchants of two cells go on with known credentials",
              1,
              20,
              CellFaults::directoryKilled),
          new Experiment(
              "move-interrupted",
              "kill -9 of a node or a cell while a merchant moves from cell to cell",
              1,
              20,
              MoveFaults::run),
          new Experiment("failover", "a synchronous standby takes over", 1, 10, Failover::run),
          new Experiment(
              "last-pair",
              "64 clients on three nodes sell the last pair; one may succeed (lab/sell)",
              4,
              1_000,
              LastPair::run),
          new Experiment(
              "converge",
              "random changes on three nodes, kill -9 of nodes; all followers end equal (lab/converge)",
              1,
              20,
              Convergence::run),
          new Experiment(
              "linearizable",
              "no read on three nodes may be stale; a round is 1,000 operations (lab/linearizable)",
              2,
              100,
              Linearizable::run),
          new Experiment(
              "stale-reads",
              "the same without the barrier: the checker must notice",
              2,
              20,
              Linearizable::control));

  private Experiments() {}
}
