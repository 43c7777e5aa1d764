package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code lab/overload}: offers ten times the load that the server can serve. */
@Command(
    name = "lab/overload",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Offers an open-loop load of up to ten times the server's capacity, and shows"
          + " the goodput, how soon the server rejects the rest, and how soon it recovers.",
      "Creates a marketplace, starts the server and its PostgreSQL, and removes everything at the end."
    },
    footer = {
      "Examples:",
      "  lab/overload",
      "  lab/overload --pin --only 'create 300' --seconds 5 --keep",
      "  lab/overload --pin --haproxy --cpu 40 --only mixed"
    })
final class OverloadMain extends Trial {
  /** Enough to keep the server busy, and few enough that no request waits long. */
  private static final int PEAK_TOGETHER = 32;

  private static final int READS_PER_SECOND = 4_000;
  private static final int MAX_READS = 20_000;
  private static final int MAX_CONNECTIONS = 8_000;
  private static final double FIRST_RATE = 500;
  private static final double MIN_RATE = 50;
  private static final int MAX_WARM_UPS = 10;
  private static final double STILL_RISING = 1.05;

  /** A multiple of the rate at which the server rejects most requests, for the warm-up. */
  private static final double WARM_UP_LOAD = 4;

  private static final double[] FACTORS = {1, 2, 5, 10};

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "The operations to send, as in lab/bench (default: mixed, create 300, detail).")
  List<String> only = List.of("mixed", "create 300", "detail");

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Seconds per measurement (default: 5).")
  int seconds = 5;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Seconds per warm-up, 0 for none (default: 10).")
  int warmUp = 10;

  @Option(
      names = "--haproxy",
      description = "Send the load through HAProxy, with packaging/haproxy/stockroom.cfg.")
  boolean haproxy;

  @Option(
      names = "--cpu",
      paramLabel = "PERCENT",
      description =
          "After the warm-up, give the server and its PostgreSQL only so much of one CPU, so that the"
              + " driver and the proxy can send ten times its capacity; needs root.")
  int cpu;

  private @Nullable CpuQuota quota;

  private final Machine machine = new Machine(Path.of("/proc"));

  public static void main(String[] arguments) {
    main("lab/overload", new OverloadMain(), arguments);
  }

  @Override
  void check() {
    if (seconds < 1 || warmUp < 0 || cpu < 0) {
      throw new BenchException("--seconds must be at least 1, --warm-up and --cpu at least 0.");
    }
    if (cpu > 0 && marketplace.leaves()) {
      throw new BenchException("--cpu ends with the server, so it cannot be used with --leave.");
    }
    var _ = picked();
  }

  @Override
  List<String> before(Path folder) {
    if (cpu == 0) {
      return List.of();
    }
    quota = CpuQuota.create();
    return quota.command();
  }

  @Override
  public void run() {
    try {
      super.run();
    } finally {
      if (quota != null) {
        quota.close();
      }
    }
  }

  private List<Operation> picked() {
    List<Operation> all = new ArrayList<>();
    for (String name : only) {
      // a name such as "create 300" also matches others that start with it
      all.add(Operation.pick(List.of(name)).getFirst());
    }
    return all;
  }

  @Override
  void tryOut(ServerUnderTest server, Requests requests) throws IOException, SQLException {
    try (Tools proxy = new Tools()) {
      Path folder = Files.createDirectories(root.resolve("target/haproxy"));
      int port = haproxy ? HaProxy.start(proxy, root, folder, server.port()) : server.port();
      overload(new OpenLoad(port, MAX_CONNECTIONS), server, requests);
    }
  }

  private void overload(OpenLoad load, ServerUnderTest server, Requests requests)
      throws IOException, SQLException {
    System.out.printf(
        Locale.ROOT,
        "%-16s %6s %9s %9s %6s %9s %9s %9s %9s %7s  %s%n",
        "operation",
        "load",
        "sent/s",
        "good/s",
        "share",
        "p50 ms",
        "p99 ms",
        "503 p50",
        "503 p99",
        "memory",
        "otherwise");
    for (Operation operation : picked()) {
      overload(operation, load, server, requests);
    }
  }

  private void overload(
      Operation operation, OpenLoad load, ServerUnderTest server, Requests requests)
      throws IOException, SQLException {
    limitCpu(CpuQuota.UNLIMITED);
    double rate = warmedUp(operation, load, server, requests);
    limitCpu(cpu);
    tidy(operation, server);
    Outcomes peak =
        load.closed(make(requests, operation, rate * 3 * seconds), PEAK_TOGETHER, seconds);
    rate = Math.max(MIN_RATE, peak.goodput());
    line(operation, "peak", peak, rate, server);
    double best = rate;
    double last = rate;
    for (double factor : FACTORS) {
      double offered = rate * factor;
      tidy(operation, server);
      Outcomes outcomes = load.open(make(requests, operation, offered * seconds), offered, seconds);
      line(operation, "%.0f×".formatted(factor), outcomes, rate, server);
      last = outcomes.goodput();
      best = Math.max(best, last);
    }
    double calm = rate / 2;
    Outcomes after = load.open(make(requests, operation, calm * seconds), calm, seconds);
    line(operation, "then ½×", after, rate, server);
    double slow = Math.max(100, 3 * peak.successes().millis(99));
    System.out.printf(
        Locale.ROOT,
        "%-16s kept %.2f of the peak rate, %.0f per second%n",
        operation.title(),
        last / best,
        best);
    System.out.printf(
        Locale.ROOT,
        "%-16s recovered after %.2f s (no rejection and nothing slower than %.0f ms since then)%n",
        operation.title(),
        after.secondsUntilWell(slow),
        slow);
  }

  /**
   * Removes what the last creates left to PostgreSQL (dead rows, pages to write), so that every
   * measurement starts with the same tables.
   */
  private static void tidy(Operation operation, ServerUnderTest server)
      throws IOException, SQLException {
    if (!operation.writes()) {
      return;
    }
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("vacuum stock_entry");
      statement.execute("checkpoint");
    }
  }

  private void limitCpu(int percent) throws IOException {
    if (quota != null) {
      quota.limit(percent);
    }
  }

  /**
   * On one CPU it takes a while until the JVM has compiled both the serving and the rejecting code.
   * Returns the rate when it no longer rises and the compilers are quiet.
   */
  private double warmedUp(
      Operation operation, OpenLoad load, ServerUnderTest server, Requests requests)
      throws IOException {
    double rate = FIRST_RATE;
    for (int i = 0; warmUp > 0 && i < MAX_WARM_UPS; i++) {
      double before = rate;
      List<byte[]> made = make(requests, operation, rate * 3 * warmUp);
      long compiling = machine.compilerTicks(server.pid());
      Outcomes outcomes = load.closed(made, PEAK_TOGETHER, warmUp);
      double compilers = machine.compilerShare(server.pid(), compiling, warmUp);
      rate = Math.max(MIN_RATE, outcomes.goodput());
      line(operation, "warm", outcomes, rate, server);
      double many = WARM_UP_LOAD * rate;
      var _ = load.open(make(requests, operation, many * seconds), many, seconds);
      if (i > 1 && rate < before * STILL_RISING && compilers < BenchRunner.MAX_COMPILERS) {
        break;
      }
    }
    return rate;
  }

  private List<byte[]> make(Requests requests, Operation operation, double count) {
    int reads = Math.min(MAX_READS, READS_PER_SECOND * seconds);
    return requests.make(operation, operation.creates() ? (int) count + 1 : reads);
  }

  private void line(
      Operation operation, String load, Outcomes outcomes, double peak, ServerUnderTest server) {
    System.out.printf(
        Locale.ROOT,
        "%-16s %6s %9.0f %9.0f %6.2f %9.1f %9.1f %9.1f %9.1f %5d MB  %s%n",
        operation.title(),
        load,
        outcomes.offered(),
        outcomes.goodput(),
        outcomes.goodput() / peak,
        outcomes.successes().millis(50),
        outcomes.successes().millis(99),
        outcomes.rejections().millis(50),
        outcomes.rejections().millis(99),
        machine.residentBytes(server.pid()) >> 20,
        Stream.of(outcomes.mix(), outcomes.faults())
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining("; ")));
  }
}
