package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lab/bench}: what can be asked for. */
@Command(
    name = "lab/bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures the server beside the same SQL without a server, and prints a table of ratios.",
      "It makes a marketplace, starts the server and its PostgreSQL, and removes all of it again."
    },
    footer = {
      "Examples:",
      "  lab/bench",
      "  lab/bench --only 'stock list,detail' --seconds 3 --rounds 1 --keep",
      "  lab/bench --compare target/bench/bench.json --out target/bench-new"
    })
final class BenchMain implements Runnable {
  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "The operations to measure, such as 'stock list,create' (default: all).")
  List<String> only = List.of();

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds of each (default: 3).")
  int rounds = 3;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Seconds of each measurement (default: 8).")
  int seconds = 8;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description =
          "Seconds of load before the first measurement, until the JVM has compiled the server"
              + " (default: 45).")
  int warmUp = 45;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "Connections of the load, and of the twin (default: 32).")
  int connections = 32;

  @Option(
      names = "--scale",
      paramLabel = "N",
      description = "As many times the products, such as 10 or 100 (default: 1).")
  int scale = 1;

  @Option(
      names = "--products",
      paramLabel = "N",
      description =
          "Products that 100 merchants share; one more merchant has as many (default: 50000).")
  int products = 50_000;

  @Option(
      names = "--growth",
      description = "Measure at scale 1 and then at 10, and show how the cost grows.")
  boolean growth;

  @Option(
      names = "--compare",
      paramLabel = "FILE",
      description = "Say what moved since the run that wrote this bench.json.")
  @Nullable Path compare;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where the marketplace is made: an empty folder, or one made by this program.")
  @Nullable Path data;

  @Option(
      names = "--keep",
      description = "Keep the marketplace for the next run with the same --data.")
  boolean keep;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where bench.json and ratios.svg are written (default: target/bench).")
  Path out = Path.of("target/bench");

  @Option(
      names = "--allow-stale-twins",
      description = "Measure although a twin is not what the server sends; the table says so.")
  boolean allowStaleTwins;

  private final Path root;

  BenchMain(Path root) {
    this.root = root;
  }

  Path root() {
    return root;
  }

  Path dataFolder() {
    return data == null ? root.resolve("target/bench-data") : data;
  }

  @Override
  public void run() {
    try {
      Bench.run(this);
    } catch (IOException | SQLException e) {
      throw new Refusal("The benchmark broke off: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal("The benchmark was stopped.", e);
    }
  }

  public static void main(String[] arguments) {
    Path root = Path.of(System.getProperty("stockroom.home", ".")).toAbsolutePath().normalize();
    CommandLine command = new CommandLine(new BenchMain(root));
    command.setExecutionExceptionHandler(
        (failure, _, _) -> {
          if (!(failure instanceof Refusal)) {
            throw failure;
          }
          System.err.println("lab/bench: " + failure.getMessage());
          return 1;
        });
    System.exit(command.execute(arguments));
  }
}
