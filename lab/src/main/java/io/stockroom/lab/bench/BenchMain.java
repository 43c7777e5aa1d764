package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code lab/bench}. */
@Command(
    name = "lab/bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Compares the server with the same SQL without a server, and prints a table of ratios.",
      "Creates a marketplace, starts the server and its PostgreSQL, and removes everything at the end."
    },
    footer = {
      "Examples:",
      "  lab/bench",
      "  lab/bench --only 'stock list,detail' --seconds 3 --rounds 1 --keep",
      "  lab/bench --peers --only 'stock list,detail,create 300'",
      "  lab/bench --compare target/bench/bench.json --out target/bench-new"
    })
final class BenchMain implements Runnable {
  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "The operations to measure, such as 'stock list,create' (default: all).")
  List<String> only = List.of();

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds per operation (default: 3).")
  int rounds = 3;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Seconds per measurement (default: 8).")
  int seconds = 8;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description =
          "Seconds of warm-up before the first measurement, and at most of each operation, so that"
              + " the JVM compiles the server (default: 45).")
  int warmUp = 45;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "Connections of the load, and of the twin (default: 32).")
  int connections = 32;

  @Option(
      names = "--scale",
      paramLabel = "N",
      description = "Multiplies the number of products, for example by 10 or 100 (default: 1).")
  int scale = 1;

  @Option(
      names = "--products",
      paramLabel = "N",
      description =
          "Products of 100 merchants together; one more merchant has as many (default: 50000). With"
              + " less than 10000, there are fewer merchants.")
  int products = 50_000;

  @Option(
      names = "--working-set",
      paramLabel = "N",
      description =
          "Products that the load asks for, of the 100 merchants and of the one more (default: all"
              + " of them). To see what more data cost that is not asked for, pass the same number"
              + " with another --scale.")
  int workingSet = Integer.MAX_VALUE;

  @Option(
      names = "--growth",
      description = "Measure at scale 1 and then at 10, and show how the cost grows.")
  boolean growth;

  @Option(
      names = "--peers",
      description =
          "Measure the same calls in plain Spring Boot with JPA (lab/peers), too, in the same"
              + " rounds.")
  boolean peers;

  @Option(
      names = "--compare",
      paramLabel = "FILE",
      description = "Show what changed since the run that wrote this bench.json.")
  @Nullable Path compare;

  @Mixin final MarketplaceOptions marketplace = new MarketplaceOptions();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "The folder for bench.json and ratios.svg, with --peers also ratios.png (default:"
              + " target/bench).")
  Path out = Path.of("target/bench");

  @Option(
      names = "--allow-stale-twins",
      description = "Measure even if a twin differs from what the server sends; the table says so.")
  boolean allowStaleTwins;

  private final Path root;

  BenchMain(Path root) {
    this.root = root;
  }

  Path root() {
    return root;
  }

  @Override
  public void run() {
    try {
      Bench.run(this);
    } catch (IOException | SQLException e) {
      throw new BenchException("The benchmark failed: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("The benchmark was stopped.", e);
    }
  }

  public static void main(String[] arguments) {
    Path root = Path.of(System.getProperty("stockroom.home", ".")).toAbsolutePath().normalize();
    Trial.main("lab/bench", new BenchMain(root), arguments);
  }
}
