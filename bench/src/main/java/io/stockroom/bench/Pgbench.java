package io.stockroom.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Twins by pgbench, prepared. */
final class Pgbench implements Twin {
  private static final int THREADS = 2;
  private static final Pattern RATE = Pattern.compile("(?m)^tps = ([0-9.]+)");
  private static final Pattern FAILED =
      Pattern.compile("(?m)^number of failed transactions: ([0-9]+)");

  private final Tools tools;
  private final ServerUnderTest server;

  Pgbench(Tools tools, ServerUnderTest server) {
    this.tools = tools;
    this.server = server;
  }

  @Override
  public String tool() {
    return "pgbench";
  }

  @Override
  public double rate(List<Weighted> scripts, int connections, int seconds)
      throws IOException, InterruptedException {
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
    return read(tools.run(command, login()));
  }

  static double read(String output) {
    Matcher failed = FAILED.matcher(output);
    Matcher rate = RATE.matcher(output);
    if (!rate.find()
        || output.contains("aborted")
        || (failed.find() && !failed.group(1).equals("0"))) {
      throw new Refusal("pgbench failed:\n" + output);
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
