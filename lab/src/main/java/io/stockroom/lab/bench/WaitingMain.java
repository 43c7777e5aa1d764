package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.lab.bench.Marketplace.Account;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Implements {@code lab/waiting}: what calls that wait for changes cost, and how fast they wake.
 */
@Command(
    name = "lab/waiting",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Lets thousands of clients wait for changes (POST /Changes with wait=25) and measures the"
          + " memory that they cost the server.",
      "Then changes the stock of some merchants, and measures the time from the request of the"
          + " change until the clients of that merchant have it."
    },
    footer = {
      "Examples:",
      "  lab/waiting --clients 5000 --rounds 20",
      "  lab/waiting --haproxy --clients 1000"
    })
final class WaitingMain extends Trial {
  private static final Duration MAX_SETTLE = Duration.ofSeconds(20);

  /** Product lists while the clients wait. */
  private static final int READS = 200;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "Clients that wait, spread over 100 merchants (default: 5000).")
  int clients = 5_000;

  @Option(names = "--rounds", paramLabel = "N", description = "Changes (default: 20).")
  int rounds = 20;

  @Option(
      names = "--haproxy",
      description =
          "Let the clients wait behind HAProxy, with packaging/haproxy/stockroom.cfg, and fail if"
              + " product lists are rejected meanwhile.")
  boolean haproxy;

  public static void main(String[] arguments) {
    main("lab/waiting", new WaitingMain(), arguments);
  }

  @Override
  void check() {
    if (clients < 1 || rounds < 1) {
      throw new BenchException("--clients and --rounds must be at least 1.");
    }
  }

  @Override
  void tryOut(ServerUnderTest server, Requests requests) throws IOException, InterruptedException {
    try (Tools proxy = new Tools()) {
      Path folder = Files.createDirectories(root.resolve("target/haproxy"));
      int port = haproxy ? HaProxy.start(proxy, root, folder, server.port()) : server.port();
      await(port, server, requests);
    }
  }

  private void await(int port, ServerUnderTest server, Requests requests)
      throws IOException, InterruptedException {
    List<Account> accounts = requests.market().accounts();
    try (WaitingClients waiting = new WaitingClients(port, requests, accounts)) {
      long before = liveBytes(server);
      waiting.open(clients);
      Thread.sleep(Duration.ofSeconds(2));
      if (!waiting.settle(MAX_SETTLE)) {
        throw new BenchException("Not all clients are waiting: " + waiting.waiting());
      }
      long with = liveBytes(server);
      for (int i = 0; haproxy && i < READS; i++) {
        String answer = waiting.call(1 + i % (accounts.size() - 1), "/Stock/Product", "page=1");
        if (!answer.startsWith("HTTP/1.1 200")) {
          throw new BenchException("A product list was rejected: " + answer);
        }
      }
      List<Double> millis = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        millis.addAll(waiting.change(1 + round % (accounts.size() - 1)));
      }
      Collections.sort(millis);
      System.out.printf(
          Locale.ROOT,
          """
          %,d clients wait: live heap of the server %d MB, without them %d MB; %.1f KB for each
          %,d changes reach %,d waiting clients; from sending the change until it is received:
          p50 %.1f ms, p99 %.1f ms, longest %.1f ms
          """,
          clients,
          with >> 20,
          before >> 20,
          (with - before) / 1024.0 / clients,
          rounds,
          millis.size(),
          millis.get(millis.size() / 2),
          millis.get((int) (millis.size() * 0.99)),
          millis.getLast());
      if (haproxy) {
        System.out.printf("%d product lists meanwhile, none rejected%n", READS);
      }
    }
  }

  /** The bytes of all objects that live after a garbage collection. */
  private static long liveBytes(ServerUnderTest server) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(jcmd.toString(), Long.toString(server.pid()), "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String histogram = new String(process.getInputStream().readAllBytes(), UTF_8);
    var _ = process.waitFor();
    String total = histogram.substring(histogram.lastIndexOf("Total")).strip();
    return Long.parseLong(total.split("\\s+", -1)[2]);
  }
}
