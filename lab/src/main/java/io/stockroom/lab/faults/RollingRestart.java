package io.stockroom.lab.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Several nodes behind a load balancer, restarted one after the other under load. */
final class RollingRestart {
  private static final int CLIENTS = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private RollingRestart() {}

  static void run(Laboratory laboratory, int rounds, Report report) throws Exception {
    if (!Laboratory.has("haproxy", "-v")) {
      throw new Experiment.Skipped("haproxy is not installed (Debian: apt install haproxy)");
    }
    Postgres postgres = Postgres.start(laboratory, "rolling-database");
    List<Server> nodes = new ArrayList<>();
    for (int i = 0; i < (laboratory.brief() ? 2 : 3); i++) {
      nodes.add(Server.outside(laboratory, "rolling", postgres.url()));
    }
    Server.startAll(nodes);
    int port = laboratory.newPort();
    Process balancer = balance(laboratory, port, nodes);
    String url = "http://127.0.0.1:" + port;
    Rounds course =
        new Rounds(laboratory, report, () -> url, nodes.getFirst().operator(), postgres::connect)
            .clients(laboratory.brief() ? 2 : CLIENTS);
    awaitNode(url);
    List<Server> restarted = laboratory.brief() ? nodes.subList(0, 1) : nodes;
    int requests = 0;
    int failed = 0;
    for (int round = 0; round < rounds; round++) {
      // new merchants, because a product takes at most a thousand colors
      course.newMerchants();
      course.stockUp();
      Clients clients = Clients.start(laboratory, course.merchants(), () -> url);
      restart(restarted);
      clients.stop();
      requests += clients.acknowledged() + clients.failed();
      failed += clients.failed();
      course.check();
      course.settle();
      report.round();
    }
    if (failed > 0) {
      report.fault("failed requests: " + failed);
    }
    report.remark(
        "%d restarts, %d requests, %d failed"
            .formatted(rounds * restarted.size(), requests, failed));
    course.verifyTrail();
    Server.leaveAll(nodes);
    Processes.kill(balancer.toHandle());
    postgres.leave();
  }

  private static void restart(List<Server> nodes) {
    for (Server node : nodes) {
      node.stop();
      node.start();
      // the load balancer must notice it before the next one stops
      Await.until(PATIENCE, "a node to be ready", () -> node.ready().status() == 200);
      Await.pause(Duration.ofSeconds(1));
    }
  }

  private static void awaitNode(String url) {
    Await.until(
        PATIENCE,
        "the load balancer to find a node",
        () -> HttpCalls.get(url + "/").status() == 404);
  }

  private static Process balance(Laboratory laboratory, int port, List<Server> nodes)
      throws IOException {
    StringBuilder configuration =
        new StringBuilder(
            """
            defaults
              mode http
              timeout connect 2s
              timeout client 60s
              timeout server 60s
              timeout http-keep-alive 60s
              timeout check 2s
            frontend in
              bind 127.0.0.1:%d
              default_backend nodes
            backend nodes
              balance roundrobin
              option httpchk GET /health/ready
              option redispatch
              default-server check inter 200ms fall 1 rise 1
            """
                .formatted(port));
    for (Server node : nodes) {
      configuration.append(
          "  server n%1$d 127.0.0.1:%1$d port %2$d\n".formatted(node.port(), node.adminPort()));
    }
    // the clients' imports go to the admin port
    configuration.append(
        """
        frontend admin
          bind 127.0.0.1:%d
          default_backend admins
        backend admins
          balance roundrobin
          option httpchk GET /health/ready
          option redispatch
          default-server check inter 200ms fall 1 rise 1
        """
            .formatted(port + 1));
    for (Server node : nodes) {
      configuration.append("  server n%1$d 127.0.0.1:%1$d\n".formatted(node.adminPort()));
    }
    Path folder = laboratory.newFolder("balancer");
    Path file = Files.writeString(folder.resolve("haproxy.cfg"), configuration);
    return laboratory
        .processes()
        .start(
            new ProcessBuilder("haproxy", "-db", "-f", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("haproxy.log").toFile()));
  }
}
