package io.stockroom.lab.faults;

import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command {@code lab/faults}. */
@Command(
    name = "lab/faults",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Breaks real servers and databases on this machine while clients send requests, then compares",
      "the responses that the clients got with the contents of the database."
    },
    footerHeading = "%nExperiments (--only):%n")
final class FaultsMain implements Callable<Integer> {
  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "Run only these experiments, separated by commas.")
  private List<String> only = List.of();

  @Option(
      names = "--except",
      split = ",",
      paramLabel = "NAME",
      description = "Run all but these experiments, separated by commas.")
  private List<String> except = List.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds per experiment, instead of its default.")
  private @Nullable Integer rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long clients work in a round of converge (default: 20).")
  private @Nullable Integer seconds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Repeat the requests and fault times of an earlier run.")
  private @Nullable Long seed;

  @Option(
      names = "--short",
      description =
          "Run a few rounds of most, which share servers and databases, in about two minutes.")
  private boolean brief;

  @Option(
      names = "--keep",
      description = "Keep the journals and logs even if there are no findings.")
  private boolean keep;

  private final List<String> program;
  private final PrintStream out;
  private final PrintStream progress;

  /**
   * A run against servers of one program.
   *
   * @param program the command that starts it, before its first argument
   */
  FaultsMain(List<String> program, PrintStream out, PrintStream progress) {
    this.program = List.copyOf(program);
    this.out = out;
    this.progress = progress;
  }

  public static void main(String[] arguments) {
    String launcher = Path.of(System.getProperty("stockroom.home", "."), "stockroom").toString();
    CommandLine command =
        new CommandLine(new FaultsMain(List.of(launcher), System.out, System.err));
    command
        .getCommandSpec()
        .usageMessage()
        .footer(
            Experiments.ALL.stream()
                .map(each -> "  %-18s %s".formatted(each.name(), each.meaning()))
                .toArray(String[]::new));
    System.exit(command.execute(arguments));
  }

  @Override
  public Integer call() {
    List<Experiment> chosen = chosen();
    long theSeed = seed == null ? new SecureRandom().nextInt(1_000_000) : seed;
    Laboratory laboratory = new Laboratory(program, brief, seconds, progress);
    Runtime.getRuntime().addShutdownHook(new Thread(laboratory::close, "end-processes"));
    FaultsTable table = new FaultsTable();
    List<String> findings = new ArrayList<>();
    try (laboratory) {
      for (Experiment experiment : chosen) {
        run(experiment, laboratory, theSeed, table, findings);
      }
    }
    table.print(out);
    out.println("Seed: " + theSeed);
    findings.forEach(out::println);
    if (findings.isEmpty() && !keep) {
      laboratory.delete();
    } else {
      out.println("Journals and logs: " + laboratory.folder());
    }
    out.println(findings.isEmpty() ? "PASSED" : "FAILED");
    return findings.isEmpty() ? 0 : 1;
  }

  private List<Experiment> chosen() {
    for (String name : Stream.concat(only.stream(), except.stream()).toList()) {
      if (Experiments.ALL.stream().noneMatch(each -> each.name().equals(name))) {
        throw new ParameterException(
            new CommandLine(this),
            "Unknown experiment %s; lab/faults --help lists them.".formatted(name));
      }
    }
    return Experiments.ALL.stream()
        .filter(each -> only.isEmpty() ? roundsOf(each) > 0 : only.contains(each.name()))
        .filter(each -> !except.contains(each.name()))
        .toList();
  }

  private int roundsOf(Experiment experiment) {
    if (rounds != null) {
      return rounds;
    }
    boolean named = only.contains(experiment.name());
    return brief ? Math.max(experiment.shortRounds(), named ? 1 : 0) : experiment.longRounds();
  }

  private void run(
      Experiment experiment,
      Laboratory laboratory,
      long theSeed,
      FaultsTable table,
      List<String> findings) {
    int count = roundsOf(experiment);
    Report report = new Report();
    long start = System.nanoTime();
    laboratory.say("%s: %s …".formatted(experiment.name(), Report.inWords(count)));
    laboratory.seed(theSeed + experiment.name().hashCode());
    try {
      experiment.body().run(laboratory, count, report);
    } catch (Experiment.Skipped skipped) {
      table.skipped(experiment.name(), String.valueOf(skipped.getMessage()));
      return;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      report.fault("it was interrupted");
    } catch (Exception failure) {
      failure.printStackTrace(progress);
      report.fault("it could not be finished: " + failure);
    }
    table.add(experiment.name(), report);
    report.findings().forEach(finding -> findings.add(experiment.name() + ": " + finding));
    laboratory.say(
        "  %s, in %.1f s".formatted(report.summary(), HttpCalls.millisSince(start) / 1000.0));
  }
}
