package io.stockroom.lab.faults;

import io.stockroom.lab.HttpCalls;
import io.stockroom.lab.Laboratory;
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

/** The commands {@code lab/faults}, {@code lab/histories} and {@code lab/patroni}. */
@Command(name = "lab/faults", mixinStandardHelpOptions = true, sortOptions = false)
final class FaultsMain implements Callable<Integer> {
  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "Run only these experiments, separated by commas.")
  private List<String> only = List.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds per experiment, instead of its default.")
  private @Nullable Integer rounds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Repeat the requests and fault times of an earlier run.")
  private @Nullable Long seed;

  @Option(names = "--short", description = "Run a few rounds of most, in about a minute.")
  private boolean brief;

  private final List<Experiment> all;

  private FaultsMain(List<Experiment> all) {
    this.all = all;
  }

  /** The first argument says which experiments. */
  public static void main(String[] arguments) {
    CommandLine command =
        switch (arguments[0]) {
          case "faults" -> command(Experiment.ALL, "Breaks servers and databases under load.");
          case "histories" -> command(Histories.ALL, "Checks what clients saw while nodes died.");
          default -> command(PatroniFaults.ALL, "Fails the primary of a Patroni cluster over.");
        };
    command.setCommandName("lab/" + arguments[0]);
    System.exit(command.execute(Stream.of(arguments).skip(1).toArray(String[]::new)));
  }

  private static CommandLine command(List<Experiment> all, String what) {
    CommandLine command = new CommandLine(new FaultsMain(all));
    command
        .getCommandSpec()
        .usageMessage()
        .description(what, "Then compares what clients were told with the database.")
        .footerHeading("%nExperiments (--only):%n")
        .footer(
            all.stream()
                .map(each -> "  %-18s %s".formatted(each.name(), each.meaning()))
                .toArray(String[]::new));
    return command;
  }

  @Override
  public Integer call() {
    List<Experiment> chosen = chosen();
    long theSeed = seed == null ? new SecureRandom().nextInt(1_000_000) : seed;
    List<String> table = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    List<String> findings = new ArrayList<>();
    try (Laboratory laboratory = new Laboratory(brief)) {
      Stage stage = new Stage(laboratory);
      for (Experiment each : chosen) {
        Report report = new Report();
        laboratory.seed(theSeed + each.name().hashCode());
        boolean isRun = run(each, stage, report);
        table.add(isRun ? report.row(each.name()) : "| %s | skipped |".formatted(each.name()));
        report.remarks().forEach(remark -> notes.add(each.name() + ": " + remark));
        report.findings().forEach(finding -> findings.add(each.name() + ": " + finding));
      }
      System.out.println(Report.HEAD + String.join("\n", table) + "\n");
      notes.forEach(System.out::println);
      findings.forEach(System.out::println);
      System.out.println("Seed: " + theSeed);
      if (findings.isEmpty()) {
        laboratory.delete();
      } else {
        System.out.println("Journals and logs: " + laboratory.folder());
      }
    }
    System.out.println(findings.isEmpty() ? "PASSED" : "FAILED");
    return findings.isEmpty() ? 0 : 1;
  }

  private List<Experiment> chosen() {
    List<String> known = all.stream().map(Experiment::name).toList();
    for (String name : only) {
      if (!known.contains(name)) {
        throw new ParameterException(
            new CommandLine(this), "Unknown experiment %s; --help lists them.".formatted(name));
      }
    }
    return all.stream()
        .filter(each -> only.isEmpty() ? roundsOf(each) > 0 : only.contains(each.name()))
        .toList();
  }

  private int roundsOf(Experiment experiment) {
    if (rounds != null) {
      return rounds;
    }
    int least = only.contains(experiment.name()) ? 1 : 0;
    return brief ? Math.max(experiment.shortRounds(), least) : experiment.longRounds();
  }

  /** Returns whether it was run. */
  private boolean run(Experiment experiment, Stage stage, Report report) {
    long start = System.nanoTime();
    int count = roundsOf(experiment);
    stage.laboratory().say("%s: %d rounds …".formatted(experiment.name(), count));
    try {
      experiment.body().run(stage, count, report);
    } catch (Experiment.Skipped skipped) {
      report.remark("%s", String.valueOf(skipped.getMessage()));
      return false;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      report.fault("it was interrupted");
    } catch (Exception failure) {
      failure.printStackTrace();
      report.fault("it could not be finished: " + failure);
    }
    stage
        .laboratory()
        .say(
            "  %s, in %.1f s"
                .formatted(
                    report.isClean() ? "clean" : "FOUND " + report.findings(),
                    HttpCalls.millisSince(start) / 1000));
    return true;
  }
}
