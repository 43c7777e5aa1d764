package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code lab/hostile}: hostile clients next to a well-behaved one. */
@Command(
    name = "lab/hostile",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures a well-behaved client, first alone and then next to thousands of connections that"
          + " send their headers or bodies byte by byte, never read, or are idle.",
      "Creates a marketplace, starts the server and its PostgreSQL, and removes everything at the end."
    },
    footer = {"Example:", "  lab/hostile --connections 5000 --seconds 10"})
final class HostileMain extends Trial {
  private static final int READS_PER_SECOND = 4_000;
  private static final int MAX_READS = 20_000;
  private static final int HEALTHY_CONNECTIONS = 8;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "Hostile connections, as many of each kind (default: 5000).")
  int connections = 5_000;

  @Option(
      names = "--first-bytes",
      paramLabel = "N",
      description =
          "How much of a long body the slow clients send at once (default: 1). More than 8 KiB"
              + " costs the server most.")
  int firstBytes = 1;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Stock lists per second of the well-behaved client (default: 200).")
  int rate = 200;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Seconds per measurement (default: 30).")
  int seconds = 30;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Seconds of warm-up before the first measurement (default: 15).")
  int warmUp = 15;

  public static void main(String[] arguments) {
    main("lab/hostile", new HostileMain(), arguments);
  }

  @Override
  void check() {
    if (connections < 5 || firstBytes < 1 || rate < 1 || seconds < 1 || warmUp < 0) {
      throw new BenchException(
          "--first-bytes, --rate and --seconds must be at least 1, --warm-up 0, --connections 5.");
    }
  }

  @Override
  void tryOut(ServerUnderTest server, Requests requests) throws IOException, InterruptedException {
    String read = new String(requests.make(Operation.PRODUCT_LIST, 1).getFirst(), ISO_8859_1);
    List<byte[]> reads =
        requests
            .make(Operation.STOCK_LIST, Math.min(MAX_READS, READS_PER_SECOND * seconds))
            .stream()
            .filter(each -> !isOfSame(read, each))
            .toList();
    Machine machine = new Machine(Path.of("/proc"));
    var _ = new LoadDriver(server.port(), HEALTHY_CONNECTIONS).closed(reads, false, warmUp);
    OpenLoad healthy = new OpenLoad(server.port(), HEALTHY_CONNECTIONS);
    LoadResult alone = healthy.paced(reads, rate, seconds);
    long before = machine.residentBytes(server.pid());
    String body = new String(requests.make(Operation.CREATE_300, 1).getFirst(), ISO_8859_1);
    try (SlowClients slow = new SlowClients(server.port(), connections, firstBytes, body, read)) {
      slow.begin();
      LoadResult coming = healthy.paced(reads, rate, slow.secondsToOpen());
      LoadResult withHostile = healthy.paced(reads, rate, seconds);
      System.out.printf(
          Locale.ROOT,
          """
          a client that sends %,d stock lists per second; all responses were successes
                                  p50 ms    p99 ms    memory
          alone                %9.2f %9.2f %6d MB
          while they connect   %9.2f %9.2f
          with hostile clients %9.2f %9.2f %6d MB
          p99 with / alone     %9.2f
          hostile connections: %,d opened, %,d closed by the server, %,d open at the end, %,d failed to connect
          """,
          rate,
          alone.p50Millis(),
          alone.p99Millis(),
          before >> 20,
          coming.p50Millis(),
          coming.p99Millis(),
          withHostile.p50Millis(),
          withHostile.p99Millis(),
          machine.residentBytes(server.pid()) >> 20,
          withHostile.p99Millis() / alone.p99Millis(),
          slow.opened(),
          slow.closed(),
          slow.open(),
          slow.failed());
    }
  }

  /** Whether two requests come from the same application, which shares its limits. */
  private static boolean isOfSame(String request, byte[] other) {
    return appid(request).equals(appid(new String(other, ISO_8859_1)));
  }

  private static String appid(String request) {
    int start = request.indexOf("\r\nappid:");
    return request.substring(start, request.indexOf("\r\n", start + 2));
  }
}
