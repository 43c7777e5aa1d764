package io.stockroom.lab.placement;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code lab/placement}. */
@Command(
    name = "lab/placement",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Simulates the placement of merchants on cells: new merchants on the emptiest cell, a few moves",
      "per night off hot cells, loads that drift from day to day. Prints the balance that is reached."
    })
final class PlacementMain implements Callable<Integer> {
  private static final Set<Integer> SHOWN = Set.of(1, 2, 3, 5, 7, 10, 14, 21, 30, 60, 90, 180, 365);

  @Option(
      names = "--merchants",
      defaultValue = "1000000",
      paramLabel = "N",
      description = "Merchants at the beginning (default: ${DEFAULT-VALUE}).")
  private int merchants;

  @Option(
      names = "--cells",
      defaultValue = "200",
      paramLabel = "N",
      description = "Cells (default: ${DEFAULT-VALUE}).")
  private int cells;

  @Option(
      names = "--days",
      defaultValue = "30",
      paramLabel = "N",
      description = "Days (default: ${DEFAULT-VALUE}).")
  private int days;

  @Option(
      names = "--moves",
      defaultValue = "200",
      paramLabel = "N",
      description = "Merchants that may move per night (default: ${DEFAULT-VALUE}).")
  private int moves;

  @Option(
      names = "--new",
      defaultValue = "0.001",
      paramLabel = "SHARE",
      description =
          "New merchants per day, relative to those at the beginning (default: ${DEFAULT-VALUE}).")
  private double fresh;

  @Option(
      names = "--exponent",
      defaultValue = "1.0",
      paramLabel = "S",
      description =
          "Of Zipf's law: the merchant of rank r has a load of r^-S (default: ${DEFAULT-VALUE}).")
  private double exponent;

  @Option(
      names = "--tolerance",
      defaultValue = "1.1",
      paramLabel = "X",
      description =
          "Cells above this multiple of the average give merchants away (default: ${DEFAULT-VALUE}).")
  private double tolerance;

  @Option(
      names = "--balanced",
      defaultValue = "1.25",
      paramLabel = "X",
      description =
          "Up to this multiple of the average the cells count as balanced (default: ${DEFAULT-VALUE}).")
  private double balanced;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Of the random numbers (default: ${DEFAULT-VALUE}).")
  private long seed;

  private final PrintStream out = System.out;

  private PlacementMain() {}

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new PlacementMain()).execute(arguments));
  }

  @Override
  public Integer call() {
    if (merchants < cells || cells < 2 || days < 1) {
      System.err.println("lab/placement needs a day, two cells, and as many merchants as cells.");
      return 2;
    }
    int newPerDay = (int) Math.round(merchants * fresh);
    int all = Math.addExact(merchants, Math.multiplyExact(newPerDay, days));
    MerchantLoads loads = new MerchantLoads(all, exponent, seed);
    PlacementSimulation simulation =
        new PlacementSimulation(
            loads,
            merchants,
            all,
            new PlacementSimulation.Plan(cells, newPerDay, moves, tolerance));
    out.printf(
        Locale.ROOT,
        "%,d merchants, %d cells, Zipf %.2f, at most %d moves a night, %d new a day, seed %d%n",
        merchants,
        cells,
        exponent,
        moves,
        newPerDay,
        seed);
    out.printf(
        Locale.ROOT,
        "%5s  %9s  %8s  %7s  %12s  %6s  %11s%n",
        "day",
        "max/mean",
        "that day",
        "giants",
        "largest/mean",
        "moves",
        "load moved");
    List<PlacementDay> history = new ArrayList<>();
    for (int day = 1; day <= days; day++) {
      PlacementDay result = simulation.nextDay();
      history.add(result);
      if (SHOWN.contains(day) || day == days) {
        out.printf(
            Locale.ROOT,
            "%5d  %9.2f  %8.2f  %7d  %12.2f  %6d  %9.2f %%%n",
            day,
            result.balance(),
            result.dayBalance(),
            result.giants(),
            result.largest(),
            result.moves(),
            100 * result.moved());
      }
    }
    summarize(history);
    return 0;
  }

  private void summarize(List<PlacementDay> history) {
    int first = 0;
    while (first < history.size() && history.get(first).balance() > balanced) {
      first++;
    }
    if (first == history.size()) {
      out.printf(Locale.ROOT, "The cells were never balanced (max/mean up to %.2f).%n", balanced);
      return;
    }
    List<PlacementDay> since = history.subList(first, history.size());
    out.printf(
        Locale.ROOT,
        "Balanced (max/mean up to %.2f) on day %d, after %d moves.%n",
        balanced,
        first + 1,
        history.subList(0, first).stream().mapToInt(PlacementDay::moves).sum());
    out.printf(
        Locale.ROOT,
        "Since then: max/mean %.2f on average and %.2f at worst, %.0f moves a night, %.2f %% of the load.%n",
        since.stream().mapToDouble(PlacementDay::balance).average().orElse(0),
        since.stream().mapToDouble(PlacementDay::balance).max().orElse(0),
        since.stream().mapToInt(PlacementDay::moves).average().orElse(0),
        100 * since.stream().mapToDouble(PlacementDay::moved).average().orElse(0));
  }
}
