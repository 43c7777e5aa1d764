package io.stockroom.lab.faults;

import io.stockroom.lab.Await;
import io.stockroom.lab.HaProxy;
import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Server;
import java.time.Duration;
import java.util.List;

/** Two nodes behind HAProxy, restarted one after the other under load. */
final class Restarts {
  private static final int CLIENTS = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** HAProxy looks twice within a second before it believes that a node has changed. */
  private static final Duration NOTICED = Duration.ofMillis(1500);

  private Restarts() {}

  static void run(Stage stage, int rounds, Report report) {
    if (!Laboratory.has("haproxy")) {
      throw new Experiment.Skipped("haproxy is not installed (Debian: apt install haproxy)");
    }
    Laboratory laboratory = stage.laboratory();
    List<Server> nodes = stage.nodes();
    String url = "http://127.0.0.1:" + HaProxy.start(laboratory, nodes);
    Rounds course =
        new Rounds(laboratory, report, () -> url, stage.operator(), () -> stage.postgres().sql())
            .clients(laboratory.brief() ? 2 : CLIENTS);
    List<Server> restarted = laboratory.brief() ? nodes.subList(0, 1) : nodes;
    int requests = 0;
    for (int round = 0; round < rounds; round++) {
      // new merchants, because a product takes at most a thousand colors
      course.newMerchants();
      course.stockUp();
      Clients clients = new Clients(laboratory, course.merchants(), () -> url);
      restarted.forEach(Restarts::restart);
      clients.stop();
      requests += clients.acknowledged() + clients.failed();
      if (clients.failed() > 0) {
        report.fault("failed requests: " + clients.failures());
      }
      course.check();
      report.rounds(1);
    }
    report.remark("%,d restarts, %,d requests", rounds * restarted.size(), requests);
    course.end();
  }

  private static void restart(Server node) {
    node.stop();
    var _ = node.start();
    Await.until(PATIENCE, "a node to be ready", () -> node.health("ready").status() == 200);
    Await.pause(NOTICED);
  }
}
