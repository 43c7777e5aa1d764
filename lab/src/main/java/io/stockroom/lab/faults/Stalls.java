package io.stockroom.lab.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The database becomes unresponsive while every connection stays open: its processes are frozen, or
 * the network holds back all traffic.
 */
final class Stalls {
  private static final Duration SHORT_STALL = Duration.ofSeconds(3);
  private static final Duration LONG_STALL = Duration.ofSeconds(60);
  private static final Duration LIVENESS_EVERY = Duration.ofMillis(250);
  private static final long MAX_ANSWER_MILLIS = 2_000;
  private static final long MAX_RECOVERY_MILLIS = 5_000;
  private static final int CLIENTS = 24;
  private static final int FEW_CLIENTS = 4;

  /** More than the CPUs of most machines that run this. */
  private static final int ONLOOKERS = 8;

  private Stalls() {}

  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    Postgres postgres = Postgres.start(laboratory, "stall-database");
    Duration stall = laboratory.brief() ? SHORT_STALL : LONG_STALL;
    try (PostgresProxy proxy = PostgresProxy.before(laboratory, postgres)) {
      Server server = Server.outside(laboratory, "stall", proxy.url()).start();
      AtomicInteger turn = new AtomicInteger();
      Rounds course =
          new Rounds(laboratory, report, server::url, server.operator(), postgres::connect)
              .clients(laboratory.brief() ? FEW_CLIENTS : CLIENTS);
      course.run(
          rounds,
          over -> {
            boolean frozen = turn.getAndIncrement() % 2 == 0;
            if (frozen) {
              postgres.freeze();
            } else {
              proxy.hold(true);
            }
            watch(server, stall, report);
            if (frozen) {
              postgres.thaw();
            } else {
              proxy.hold(false);
            }
            over.run();
          },
          () -> judge(course, report));
      server.leave();
    }
    postgres.leave();
    if (report.worstRecoveryMillis() > MAX_RECOVERY_MILLIS) {
      report.fault("it took more than 5 s to recover");
    }
  }

  /**
   * During the stall the server must be alive and report that it is not ready, however many clients
   * ask. Threads that wait for the database must not keep a CPU: two such threads once stopped a
   * server with two CPUs.
   */
  private static void watch(Server server, Duration stall, Report report) {
    long end = System.nanoTime() + stall.toNanos();
    AtomicBoolean saidNotReady = new AtomicBoolean();
    List<Thread> onlookers = new ArrayList<>();
    for (int i = 0; i < ONLOOKERS; i++) {
      onlookers.add(
          Thread.ofVirtual().start(() -> askWhetherReady(server, end, saidNotReady, report)));
    }
    while (System.nanoTime() - end < 0) {
      Answer live = server.live();
      if (live.status() != 200 || live.millis() > MAX_ANSWER_MILLIS) {
        report.fault("liveness: %d after %d ms".formatted(live.status(), live.millis()));
      }
      Await.pause(LIVENESS_EVERY);
    }
    onlookers.forEach(Await::forEnd);
    if (!saidNotReady.get()) {
      report.fault("it stayed ready while the database was unresponsive");
    }
  }

  private static void askWhetherReady(
      Server server, long end, AtomicBoolean saidNotReady, Report report) {
    while (System.nanoTime() - end < 0) {
      Answer ready = server.ready();
      if (ready.status() == 503) {
        saidNotReady.set(true);
      }
      if (ready.millis() > MAX_ANSWER_MILLIS) {
        report.fault("readiness took %d ms".formatted(ready.millis()));
      }
      Await.pause(LIVENESS_EVERY);
    }
  }

  private static void judge(Rounds course, Report report) {
    long longest = 0;
    for (Merchant merchant : course.merchants()) {
      for (Journal.Entry entry : Journal.read(merchant.journalFile()).values()) {
        // an import responds when it is done, and may have to wait for the lease of an earlier one
        if (entry.intent().kind() != Kind.IMPORT) {
          longest = Math.max(longest, entry.longestMillis());
        }
      }
    }
    report.slowest(longest);
    if (longest > MAX_ANSWER_MILLIS) {
      report.fault("a response took %d ms".formatted(longest));
    }
  }
}
