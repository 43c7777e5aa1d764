package io.stockroom.lab.bench;

import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Server;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code lab/hostile}: hostile clients next to a well-behaved one. */
@Command(
    name = "lab/hostile",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures a client that sends 200 stock lists a second, alone and next to thousands of",
      "connections that send headers or bodies byte by byte, never read, or are idle."
    })
final class Hostile extends Trial {
  private static final int HEALTHY_CONNECTIONS = 8;
  private static final int RATE = 200;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "Hostile connections, as many of each kind (default: 5000).")
  private int connections = 5_000;

  @Option(names = "--seconds", paramLabel = "N", description = "Of each measurement (default: 30).")
  private int seconds = 30;

  @Option(names = "--warm-up", paramLabel = "N", description = "Seconds before (default: 15).")
  private int warmUp = 15;

  public static void main(String[] arguments) {
    main(new Hostile(), arguments);
  }

  @Override
  void measure(Laboratory laboratory, Server server, Marketplace market) throws IOException {
    Wrk wrk = new Wrk(laboratory, market, List.of());
    var _ = wrk.checked(server.port(), Operation.STOCK_LIST, HEALTHY_CONNECTIONS, warmUp);
    System.out.printf("| %d stock lists/s | p50 ms | p99 ms | memory MB |%n", RATE);
    System.out.println("|---|---|---|---|");
    measure(wrk, server, "alone");
    try (SlowClients slow = new SlowClients(server.port(), connections, market.accounts().get(0))) {
      measure(wrk, server, "while they arrive");
      measure(wrk, server, "next to them");
      System.out.printf(
          "%n%,d hostile connections were opened, %,d closed by the server.%n",
          slow.opened(), slow.closed());
    }
  }

  /** Every call must succeed. */
  private void measure(Wrk wrk, Server server, String when) {
    Wrk.Load load =
        Wrk.succeeded(
            wrk.paced(server.port(), Operation.STOCK_LIST, HEALTHY_CONNECTIONS, seconds, RATE));
    if (load.shed() > 0) {
      throw new IllegalStateException("%d calls were rejected %s.".formatted(load.shed(), when));
    }
    int memory = Machine.megabytes(server.pid());
    System.out.printf("| %s | %.2f | %.2f | %d |%n", when, load.p50(), load.p99(), memory);
  }
}
