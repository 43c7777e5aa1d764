package io.stockroom.lab.faults;

import io.stockroom.lab.Answer;
import io.stockroom.lab.Await;
import io.stockroom.lab.Postgres;
import io.stockroom.lab.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The database becomes unresponsive while every connection stays open: its processes are frozen.
 */
final class Stalls {
  /** The longest time that a call, or a question about health, may take. */
  static final long MAX_ANSWER_MILLIS = 2_000;

  private static final Duration SHORT_STALL = Duration.ofSeconds(3);
  private static final Duration LONG_STALL = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final long MAX_RECOVERY_MILLIS = 5_000;
  private static final int CLIENTS = 24;
  private static final int FEW_CLIENTS = 4;

  /** More than the CPUs of most machines that run this. */
  private static final int ONLOOKERS = 8;

  private Stalls() {}

  static void run(Stage stage, int rounds, Report report) throws Exception {
    Postgres postgres = stage.postgres();
    Server server = stage.nodes().getFirst();
    boolean brief = stage.laboratory().brief();
    stage
        .rounds(report)
        .clients(brief ? FEW_CLIENTS : CLIENTS)
        .run(
            rounds,
            () -> {
              postgres.freeze();
              watch(server, brief ? SHORT_STALL : LONG_STALL, report);
              postgres.thaw();
            });
    report.remark("the slowest response took %.2f s", report.slowestMillis() / 1000);
    if (report.slowestMillis() > MAX_ANSWER_MILLIS) {
      report.fault("a response took %.0f ms".formatted(report.slowestMillis()));
    }
    if (report.slowestRecoveryMillis() > MAX_RECOVERY_MILLIS) {
      report.fault("it took more than 5 s to recover");
    }
  }

  /**
   * The server must be alive and report that it is not ready, however many clients ask. Threads
   * that wait for the database must not keep a CPU: two such threads once stopped a server with two
   * CPUs.
   */
  private static void watch(Server server, Duration stall, Report report) {
    long end = System.nanoTime() + stall.toNanos();
    AtomicBoolean saidNotReady = new AtomicBoolean();
    List<Thread> onlookers = new ArrayList<>();
    for (int i = 0; i < ONLOOKERS; i++) {
      onlookers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (System.nanoTime() - end < 0) {
                      Answer ready = timely(server, "ready", report);
                      saidNotReady.compareAndSet(false, ready.status() == 503);
                    }
                  }));
    }
    while (System.nanoTime() - end < 0) {
      requireAlive(server, report);
    }
    onlookers.forEach(Await::forEnd);
    if (!saidNotReady.get()) {
      report.fault("it stayed ready while the database was unresponsive");
    }
  }

  /** Watches for a while, during which a server cannot work but must stay alive. */
  static void watchAlive(Server server, Duration time, Report report) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      requireAlive(server, report);
    }
  }

  private static void requireAlive(Server server, Report report) {
    Answer live = timely(server, "live", report);
    if (live.status() != 200) {
      report.fault("liveness: %d %s".formatted(live.status(), live.text()));
    }
  }

  private static Answer timely(Server server, String what, Report report) {
    Answer answer = server.health(what);
    if (answer.millis() > MAX_ANSWER_MILLIS) {
      report.fault("/health/%s took %.0f ms".formatted(what, answer.millis()));
    }
    Await.pause(PAUSE);
    return answer;
  }
}
