package io.stockroom.lab.faults;

import java.time.Duration;

/** An outage during which the server cannot work but must stay alive. */
final class Downtime {
  private static final Duration EVERY = Duration.ofMillis(200);

  private Downtime() {}

  static void watch(Server server, Duration time, Report report) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      Answer live = server.live();
      if (live.status() != 200) {
        report.fault("liveness: %d %s".formatted(live.status(), live.text()));
      }
      Await.pause(EVERY);
    }
  }
}
