package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code lab/cells}: what a call costs if the merchants are in several cells. */
@Command(
    name = "lab/cells",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Compares the processor time per call of two nodes: one with one database, and one whose"
          + " merchants are spread evenly over cells, each a PostgreSQL of its own.",
      "Both run all the time and have the same merchants and products. Each operation is sent to"
          + " one and then to the other, in several rounds, so that other load of the machine"
          + " concerns both. Goal: at most 1.05 for node and databases together.",
      "With --cells 1, both nodes have one database: this shows how exact the ratios are."
    },
    footer = {
      "Examples:",
      "  lab/cells",
      "  lab/cells --per-cell",
      "  lab/cells --only 'stock list,mixed' --rounds 10 --data /tmp/cells --keep"
    })
final class CellsMain implements Runnable {
  private static final double GOAL = 1.05;

  /** A machine that was busy during the warm-up may be faster later. */
  private static final double RESERVE = 3;

  /** The part of the highest rate that is sent with {@code --paced}. */
  private static final double PACE = 0.5;

  private static final String OPERATIONS = "product list,stock list,detail,mixed,adjust 1,create 1";

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      defaultValue = OPERATIONS,
      description = "The operations to measure (default: ${DEFAULT-VALUE}).")
  List<String> only = List.of();

  @Option(
      names = "--cells",
      paramLabel = "N",
      description = "Cells of the second node (default: 3).")
  int cells = 3;

  @Option(
      names = "--merchants",
      paramLabel = "N",
      description = "Merchants that call (default: 30). Each move to a cell takes about 7 seconds.")
  int merchants = 30;

  @Option(
      names = "--products",
      paramLabel = "N",
      description =
          "Products that these merchants share, at least 100 each (default: 10000); one more"
              + " merchant has as many.")
  int products = 10_000;

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: 7).")
  int rounds = 7;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Seconds per operation, node and round (default: 3).")
  int seconds = 3;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Seconds of warm-up per operation and node (default: 15).")
  int warmUp = 15;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "Connections of the load (default: 32).")
  int connections = 32;

  @Option(
      names = "--per-cell",
      description =
          "Give each cell of the second node as many merchants, products and connections as the"
              + " first node has: every database has the same load, as when a marketplace grows.")
  boolean perCell;

  @Option(
      names = "--paced",
      description =
          "Send calls at a fixed rate, half of what the second node reaches, rather than as fast as"
              + " they are answered. The first node gets the same rate; with --per-cell, each"
              + " database does.")
  boolean paced;

  @Mixin final FolderOptions folder = new FolderOptions();

  private final Path root =
      Path.of(System.getProperty("stockroom.home", ".")).toAbsolutePath().normalize();

  /** The highest rate so far. */
  private final Map<Operation, Double> rates = new EnumMap<>(Operation.class);

  /** With {@link #paced}: the calls per second that the second node gets. */
  private final Map<Operation, Double> paces = new EnumMap<>(Operation.class);

  /**
   * What one node spent on an operation in one round, in microseconds per call.
   *
   * @param p50Millis how long half of the calls took at most
   */
  private record Cost(double node, double databases, double p50Millis, double rate, boolean noisy) {
    double sum() {
      return node + databases;
    }
  }

  /** The two nodes, one after the other. */
  private record Round(Cost single, Cost spread) {
    double ratio(ToDoubleFunction<Cost> part) {
      return part.applyAsDouble(spread) / part.applyAsDouble(single);
    }
  }

  public static void main(String[] arguments) {
    Trial.main("lab/cells", new CellsMain(), arguments);
  }

  @Override
  public void run() {
    if (cells < 1 || rounds < 1 || seconds < 1 || connections < 1 || warmUp < 0) {
      throw new BenchException(
          "--cells, --rounds, --seconds and --connections must be at least 1, --warm-up at least 0.");
    }
    List<Operation> operations = Operation.pick(only);
    DataSet.Size size = new DataSet.Size(merchants, products);
    int times = perCell ? cells : 1;
    DataSet.Size ofSpread = new DataSet.Size(times * merchants, times * products);
    Tools tools = new Tools();
    Path place = folder.takeFolder(root.resolve("target/bench-cells"), tools).path();
    try (CellLayout single =
            CellLayout.start(tools, root, place.resolve("single"), size, 1, connections);
        CellLayout spread =
            CellLayout.start(
                tools,
                root,
                place.resolve("spread-" + cells),
                ofSpread,
                cells,
                times * connections)) {
      System.out.print(table(measure(operations, single, spread)));
    } catch (IOException | SQLException failure) {
      throw new BenchException("The measurement failed: " + failure, failure);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new BenchException("The measurement was stopped.", stopped);
    }
  }

  /**
   * Reads first: a database works in the background for a while after writes, and several databases
   * do so several times, which reads in the same rounds would pay for.
   */
  private Map<Operation, List<Round>> measure(
      List<Operation> operations, CellLayout single, CellLayout spread)
      throws IOException, InterruptedException, SQLException {
    Map<Operation, List<Round>> measured = new EnumMap<>(Operation.class);
    for (boolean writes : List.of(false, true)) {
      List<Operation> some =
          operations.stream().filter(operation -> operation.writes() == writes).toList();
      warmUp(some, single, spread);
      measure(some, single, spread, measured);
    }
    return measured;
  }

  private void warmUp(List<Operation> operations, CellLayout single, CellLayout spread)
      throws IOException, InterruptedException {
    for (Operation operation : operations) {
      Bench.say("Warming up " + operation.title() + " …");
      for (CellLayout layout : List.of(single, spread)) {
        var load =
            layout
                .load()
                .warmUp(layout.requests(), operation, warmUp, OperationLoad.reads(seconds));
        rates.merge(operation, load.rate(), Math::max);
      }
      if (paced) {
        List<byte[]> made = requests(spread, operation);
        double rate = spread.load().run(operation, made, seconds).rate();
        rates.merge(operation, rate, Math::max);
        paces.put(operation, PACE * rate);
      }
    }
  }

  private List<byte[]> requests(CellLayout layout, Operation operation) {
    double rate = RESERVE * rates.getOrDefault(operation, 0.0);
    return OperationLoad.requests(layout.requests(), operation, rate, seconds);
  }

  /** Every round measures all operations, so that a slow minute does not hit only one. */
  private void measure(
      List<Operation> operations,
      CellLayout single,
      CellLayout spread,
      Map<Operation, List<Round>> measured)
      throws IOException, InterruptedException, SQLException {
    for (int round = 1; round <= rounds && !operations.isEmpty(); round++) {
      Bench.say("Round %d of %d …".formatted(round, rounds));
      boolean isSingleFirst = round % 2 == 1;
      for (Operation each : operations) {
        Cost first = cost(isSingleFirst ? single : spread, each);
        Cost second = cost(isSingleFirst ? spread : single, each);
        measured
            .computeIfAbsent(each, _ -> new ArrayList<>())
            .add(isSingleFirst ? new Round(first, second) : new Round(second, first));
      }
    }
  }

  private Cost cost(CellLayout layout, Operation operation)
      throws IOException, InterruptedException, SQLException {
    List<byte[]> made = requests(layout, operation);
    String successes = operation.successes();
    long before = successes == null ? 0 : layout.sum(successes);
    Usage.Reading start = layout.reading();
    Double pace = paces.get(operation);
    LoadResult load =
        pace == null
            ? layout.load().run(operation, made, seconds)
            : layout
                .open()
                .paced(made, perCell ? pace * layout.databases() / cells : pace, seconds);
    Usage usage = start.until(layout.reading());
    rates.merge(operation, load.rate(), Math::max);
    if (successes != null && layout.sum(successes) - before < load.requests()) {
      throw new BenchException(operation.title() + ": not all responses were successes.");
    }
    return new Cost(
        usage.microsEach(usage.server(), (double) load.requests()),
        usage.microsEach(usage.postgres(), (double) load.requests()),
        load.p50Millis(),
        load.rate(),
        usage.isNoisy());
  }

  private String table(Map<Operation, List<Round>> measured) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "µs of processor time per call",
            "one database: node",
            "database",
            cells + " cells: node",
            "databases",
            "ratio: node",
            "databases",
            "together",
            "of the rounds",
            "p50 ms: one",
            cells + " cells",
            "calls/s: one",
            cells + " cells"));
    boolean isNoisy = false;
    for (Map.Entry<Operation, List<Round>> each : measured.entrySet()) {
      List<Round> all = each.getValue();
      boolean noisy = all.stream().anyMatch(one -> one.single.noisy || one.spread.noisy);
      isNoisy |= noisy;
      double[] together = sorted(all, one -> one.ratio(Cost::sum));
      double ratio = median(all, one -> one.ratio(Cost::sum));
      rows.add(
          List.of(
              each.getKey().title() + (noisy ? " ~" : ""),
              number("%.0f", median(all, one -> one.single.node)),
              number("%.0f", median(all, one -> one.single.databases)),
              number("%.0f", median(all, one -> one.spread.node)),
              number("%.0f", median(all, one -> one.spread.databases)),
              number("%.2f", median(all, one -> one.ratio(Cost::node))),
              number("%.2f", median(all, one -> one.ratio(Cost::databases))),
              number("%.2f", ratio) + (ratio > GOAL ? " (goal %.2f)".formatted(GOAL) : ""),
              number("%.2f", together[0]) + " to " + number("%.2f", together[together.length - 1]),
              number("%.2f", median(all, one -> one.single.p50Millis)),
              number("%.2f", median(all, one -> one.spread.p50Millis)),
              number("%,.0f", median(all, one -> one.single.rate)),
              number("%,.0f", median(all, one -> one.spread.rate))));
    }
    return Table.aligned(rows)
        + "%d merchants, %d connections%s; medians of %d rounds of %d s%n"
            .formatted(merchants, connections, perCell ? ", for each cell" : "", rounds, seconds)
        + (isNoisy ? "NOISY (~): other processes took more than a tenth of the machine\n" : "");
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static double median(List<Round> all, ToDoubleFunction<Round> value) {
    return Result.median(sorted(all, value));
  }

  private static double[] sorted(List<Round> all, ToDoubleFunction<Round> value) {
    return all.stream().mapToDouble(value).sorted().toArray();
  }
}
