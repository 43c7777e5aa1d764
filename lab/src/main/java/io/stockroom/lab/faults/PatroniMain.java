package io.stockroom.lab.faults;

import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code lab/patroni}. */
@Command(
    name = "lab/patroni",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs three PostgreSQL under Patroni with an etcd, and two nodes behind HAProxy, with the",
      "configuration in packaging/patroni. Lets the primary fail while clients send requests, then",
      "compares the responses that the clients got with the contents of the database."
    },
    footerHeading = "%nFaults (--only), in turn:%n")
final class PatroniMain implements Callable<Integer> {
  /** How commits are replicated. */
  enum Mode {
    SYNCHRONOUS,
    ASYNCHRONOUS
  }

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "100",
      description = "Failovers (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "Begin no failover after this time; the final check follows.")
  private @Nullable Integer minutes;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "synchronous",
      description = {
        "synchronous (default): no confirmed change may be lost.",
        "asynchronous: the control. The standbys are kept behind, and the oracle must see the loss."
      })
  private Mode mode = Mode.SYNCHRONOUS;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "FAULT",
      description = "Only these faults, separated by commas.")
  private List<PatroniFault> only = List.of();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Repeat the requests of an earlier run.")
  private @Nullable Long seed;

  @Option(names = "--keep", description = "Keep the journals and logs even without findings.")
  private boolean keep;

  private final Path root = Path.of(System.getProperty("stockroom.home", ".")).toAbsolutePath();
  private final PrintStream out = System.out;

  private PatroniMain() {}

  public static void main(String[] arguments) {
    CommandLine command = new CommandLine(new PatroniMain());
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command
        .getCommandSpec()
        .usageMessage()
        .footer(
            Arrays.stream(PatroniFault.values())
                .map(each -> "  %-8s %s".formatted(each.title(), each.meaning()))
                .toArray(String[]::new));
    System.exit(command.execute(arguments));
  }

  @Override
  public Integer call() {
    long theSeed = seed == null ? new SecureRandom().nextInt(1_000_000) : seed;
    List<String> program = List.of(root.resolve("stockroom").toString());
    Laboratory laboratory = new Laboratory(program, false, null, System.err);
    laboratory.seed(theSeed);
    Runtime.getRuntime().addShutdownHook(new Thread(laboratory::close, "end-processes"));
    boolean synchronous = mode == Mode.SYNCHRONOUS;
    Report seen = new Report();
    List<String> findings = new ArrayList<>();
    try (laboratory) {
      run(laboratory, synchronous, seen);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      findings.add("it was interrupted");
    } catch (Exception failure) {
      failure.printStackTrace();
      findings.add("it could not be finished: " + failure);
    }
    FaultsTable table = new FaultsTable();
    table.add(mode.name().toLowerCase(Locale.ROOT), seen);
    table.print(out);
    out.println("Seed: " + theSeed);
    if (synchronous) {
      findings.addAll(seen.findings());
    } else if (seen.lost() == 0) {
      findings.add("asynchronous replication was kept behind, and the oracle saw no loss");
    }
    findings.forEach(out::println);
    if (findings.isEmpty() && !keep) {
      laboratory.delete();
    } else {
      out.println("Journals and logs: " + laboratory.folder());
    }
    out.println(findings.isEmpty() ? "PASSED" : "FAILED");
    return findings.isEmpty() ? 0 : 1;
  }

  private void run(Laboratory laboratory, boolean synchronous, Report report) throws Exception {
    laboratory.say("Starting etcd, three PostgreSQL and two nodes in " + laboratory.folder());
    PatroniCluster cluster =
        PatroniCluster.start(laboratory, root.resolve("packaging/patroni"), synchronous);
    PatroniRounds course = new PatroniRounds(laboratory, cluster, cluster.startNodes(), report);
    List<PatroniFault> faults = faults(cluster, synchronous, report);
    laboratory.say(
        "%s, %s …".formatted(Report.inWords(rounds), mode.name().toLowerCase(Locale.ROOT)));
    long began = System.nanoTime();
    try {
      for (int round = 0; round < rounds && !isLate(began); round++) {
        course.round(faults.get(round % faults.size()), !synchronous);
      }
      course.finish();
    } finally {
      printOutages(course.outages());
    }
  }

  private boolean isLate(long began) {
    return minutes != null && System.nanoTime() - began > TimeUnit.MINUTES.toNanos(minutes);
  }

  private List<PatroniFault> faults(PatroniCluster cluster, boolean synchronous, Report report) {
    List<PatroniFault> faults =
        new ArrayList<>(only.isEmpty() ? List.of(PatroniFault.values()) : only);
    if (!synchronous) {
      // what the frozen senders hold back would be sent after a thaw
      return List.of(PatroniFault.KILL);
    }
    if (!cluster.canCut() && faults.remove(PatroniFault.CUT)) {
      report.remark("the network was never cut, because that needs root");
    }
    if (faults.isEmpty()) {
      throw new IllegalStateException("no fault is left to try without root");
    }
    return faults;
  }

  private void printOutages(Map<PatroniFault, List<Long>> outages) {
    out.println();
    out.println("The longest time that a client was without a success:");
    out.printf("%-8s %7s %8s %8s %8s%n", "fault", "rounds", "p50", "p90", "max");
    List<Long> all = new ArrayList<>();
    outages.forEach(
        (fault, times) -> {
          printRow(fault.title(), times);
          all.addAll(times);
        });
    printRow("all", all);
  }

  private void printRow(String name, List<Long> times) {
    if (times.isEmpty()) {
      return;
    }
    long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
    out.printf(
        "%-8s %7d %8s %8s %8s%n",
        name, sorted.length, at(sorted, 0.5), at(sorted, 0.9), at(sorted, 1));
  }

  /** The smallest time that this share of the rounds did not exceed. */
  private static String at(long[] sorted, double share) {
    int index = Math.max(0, (int) Math.ceil(sorted.length * share) - 1);
    return "%.1f s".formatted(sorted[index] / 1000.0);
  }
}
