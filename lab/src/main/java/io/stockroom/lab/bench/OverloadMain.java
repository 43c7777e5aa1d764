package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lab/overload}: ten times the load that the server can take. */
@Command(
    name = "lab/overload",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Sends requests when they are due, up to ten times as many as the server can answer, and shows"
          + " how many it still answers, how soon it refuses the rest, and how soon it has recovered.",
      "It makes a marketplace, starts the server and its PostgreSQL, and removes all of it again."
    },
    footer = {
      "Examples:",
      "  lab/overload",
      "  lab/overload --pin --only 'create 300' --seconds 5 --keep"
    })
final class OverloadMain extends Stage {
  /** As many as keep the server busy all the time, and few enough that none has to wait long. */
  private static final int PEAK_TOGETHER = 32;

  private static final int READS = 20_000;
  private static final int MAX_CONNECTIONS = 8_000;
  private static final double FIRST_RATE = 500;
  private static final double MIN_RATE = 50;
  private static final int MAX_WARM_UPS = 6;
  private static final double STILL_RISING = 1.05;

  /** As many times the rate as is refused mostly, while warming up. */
  private static final double WARM_UP_LOAD = 4;

  private static final double[] FACTORS = {1, 2, 5, 10};

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description =
          "The operations to overload it with, as in lab/bench (default: mixed, create 300, detail).")
  List<String> only = List.of("mixed", "create 300", "detail");

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Seconds of each measurement (default: 5).")
  int seconds = 5;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Seconds of each warm-up, 0 for none (default: 10).")
  int warmUp = 10;

  private final Machine machine = new Machine(Path.of("/proc"));

  public static void main(String[] arguments) {
    main("lab/overload", new OverloadMain(), arguments);
  }

  @Override
  void check() {
    if (seconds < 1 || warmUp < 0) {
      throw new Refusal("--seconds begins at 1, --warm-up at 0.");
    }
    var _ = picked();
  }

  private List<Operation> picked() {
    List<Operation> all = new ArrayList<>();
    for (String name : only) {
      // a name such as "create 300" begins others, too
      all.add(Operation.pick(List.of(name)).getFirst());
    }
    return all;
  }

  @Override
  void tryOut(ServerUnderTest server, Requests requests) throws IOException {
    OpenLoad load = new OpenLoad(server.port(), MAX_CONNECTIONS);
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
      throws IOException {
    double rate = warmedUp(operation, load, server, requests);
    Outcomes peak =
        load.closed(make(requests, operation, rate * 3 * seconds), PEAK_TOGETHER, seconds);
    rate = Math.max(MIN_RATE, peak.goodput());
    line(operation, "peak", peak, rate, server);
    double best = rate;
    double last = rate;
    for (double factor : FACTORS) {
      double offered = rate * factor;
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
        "%-16s kept %.2f of the best rate seen, %.0f a second%n",
        operation.title(),
        last / best,
        best);
    System.out.printf(
        Locale.ROOT,
        "%-16s recovered after %.2f s (no refusal, none slower than %.0f ms from then on)%n",
        operation.title(),
        after.secondsUntilWell(slow),
        slow);
  }

  /**
   * On one processor it takes a while until everything is compiled: what serves until the rate no
   * longer rises, and what refuses as well. Gives the rate.
   */
  private double warmedUp(
      Operation operation, OpenLoad load, ServerUnderTest server, Requests requests)
      throws IOException {
    double rate = FIRST_RATE;
    for (int i = 0; warmUp > 0 && i < MAX_WARM_UPS; i++) {
      double before = rate;
      List<byte[]> made = make(requests, operation, rate * 3 * warmUp);
      Outcomes outcomes = load.closed(made, PEAK_TOGETHER, warmUp);
      rate = Math.max(MIN_RATE, outcomes.goodput());
      line(operation, "warm", outcomes, rate, server);
      double many = WARM_UP_LOAD * rate;
      var _ = load.open(make(requests, operation, many * seconds), many, seconds);
      if (i > 0 && rate < before * STILL_RISING) {
        break;
      }
    }
    return rate;
  }

  private static List<byte[]> make(Requests requests, Operation operation, double count) {
    return requests.make(operation, operation.creates() ? (int) count + 1 : READS);
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
        outcomes.refusals().millis(50),
        outcomes.refusals().millis(99),
        machine.residentBytes(server.pid()) >> 20,
        Stream.of(outcomes.mix(), outcomes.faults())
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining("; ")));
  }
}
