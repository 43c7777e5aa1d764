package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs twins with pgbench, using prepared statements. */
final class Pgbench implements Twin {
  private static final int THREADS = 2;
  private static final Pattern RATE = Pattern.compile("(?m)^tps = ([0-9.]+)");
  private static final Pattern FAILED =
      Pattern.compile("(?m)^number of failed transactions: ([0-9]+)");

  private final Tools tools;
  private final ServerUnderTest server;
  private final Path folder;

  /**
   * Twins for this server.
   *
   * @param folder for temporary logs
   */
  Pgbench(Tools tools, ServerUnderTest server, Path folder) {
    this.tools = tools;
    this.server = server;
    this.folder = folder;
  }

  @Override
  public String tool() {
    return "pgbench";
  }

  @Override
  public double rate(List<Weighted> scripts, int connections, int seconds)
      throws IOException, InterruptedException {
    return read(tools.run(command(scripts, connections, seconds), login()));
  }

  @Override
  public LoadResult paced(List<Weighted> scripts, int connections, double rate, int seconds)
      throws IOException, InterruptedException {
    Path logs = Files.createTempDirectory(folder, "pgbench");
    try {
      // the first second goes to the query plans of new connections
      List<String> command = command(scripts, connections, seconds + 1);
      command.addAll(List.of("--rate=" + rate, "--log", "--log-prefix=" + logs.resolve("each")));
      double reached = read(tools.run(command, login()));
      List<String> lines = new ArrayList<>();
      try (Stream<Path> files = Files.list(logs)) {
        for (Path each : files.toList()) {
          lines.addAll(Files.readAllLines(each));
        }
      }
      Latencies latencies = times(lines);
      return new LoadResult(latencies.count(), reached, latencies.millis(50), latencies.millis(99));
    } finally {
      BenchFolder.delete(logs);
    }
  }

  /** Parses lines of client, transaction, microseconds, script, second, microsecond, lag. */
  static Latencies times(List<String> lines) {
    List<String[]> rows = lines.stream().map(line -> line.split(" ")).toList();
    double first = rows.stream().mapToDouble(Pgbench::end).min().orElse(0);
    long[] nanos =
        rows.stream()
            .filter(row -> end(row) - first >= 1)
            .mapToLong(row -> Long.parseLong(row[2]) * 1000)
            .toArray();
    return Latencies.of(List.of(nanos));
  }

  private static double end(String[] row) {
    return Long.parseLong(row[4]) + Long.parseLong(row[5]) / 1e6;
  }

  private static List<String> command(List<Weighted> scripts, int connections, int seconds) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "pgbench",
                "--no-vacuum",
                "--protocol=prepared",
                "--client=" + connections,
                "--jobs=" + Math.min(THREADS, connections),
                "--time=" + seconds));
    Map<String, String> variables = new LinkedHashMap<>();
    for (Weighted each : scripts) {
      command.add("--file=" + each.script() + "@" + each.weight());
      variables.putAll(each.variables());
    }
    variables.forEach((name, value) -> command.add("--define=" + name + "=" + value));
    return command;
  }

  static double read(String output) {
    Matcher failed = FAILED.matcher(output);
    Matcher rate = RATE.matcher(output);
    if (!rate.find()
        || output.contains("aborted")
        || (failed.find() && !failed.group(1).equals("0"))) {
      throw new BenchException("pgbench failed:\n" + output);
    }
    return Double.parseDouble(rate.group(1));
  }

  private Map<String, String> login() throws IOException {
    return Map.of(
        "PGHOST", "127.0.0.1",
        "PGPORT", "" + server.postgresPort(),
        "PGUSER", "stockroom",
        "PGDATABASE", "stockroom",
        "PGPASSWORD", server.postgresPassword(),
        "PGOPTIONS", "-c jit=off",
        "LC_ALL", "C");
  }
}
