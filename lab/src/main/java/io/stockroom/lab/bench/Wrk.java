package io.stockroom.lab.bench;

import io.stockroom.client.Credentials;
import io.stockroom.lab.Laboratory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sends requests with wrk, whose script makes and signs them. */
final class Wrk {
  private static final int THREADS = 2;

  private final Laboratory laboratory;
  private final Path plan;

  /**
   * What wrk measured.
   *
   * @param shed rejections because of overload
   */
  record Load(
      long requests,
      double seconds,
      double p50,
      double p90,
      double p99,
      long shed,
      long failed,
      String failure) {
    double rate() {
      return requests / seconds;
    }

    /** Successes per second. */
    double good() {
      return (requests - shed - failed) / seconds;
    }
  }

  /** With cursors of the changes that {@code changes} asks for; others need none. */
  Wrk(Laboratory laboratory, Marketplace market, List<String> cursors) throws IOException {
    if (!Laboratory.has("wrk")) {
      throw new IllegalStateException("wrk is missing (Debian: apt install wrk).");
    }
    this.laboratory = laboratory;
    List<String> lines = new ArrayList<>();
    market.numbers().forEach((name, value) -> lines.add(name + " " + value));
    for (Credentials each : market.accounts()) {
      lines.add("account %s %s %s".formatted(each.appid(), each.secret(), each.accesstoken()));
    }
    market.colors().forEach(color -> lines.add("color " + color));
    cursors.forEach(cursor -> lines.add("cursor " + cursor));
    this.plan = Files.write(laboratory.newFolder("wrk").resolve("plan"), lines);
  }

  /** As fast as responses arrive. */
  Load run(int port, Operation operation, int connections, int seconds) {
    return succeeded(run(port, operation, connections, seconds, 0, ""));
  }

  /** The same, and reads every response; all must be successes, or rejections of an overload. */
  Load checked(int port, Operation operation, int connections, int seconds) {
    return succeeded(paced(port, operation, connections, seconds, 0));
  }

  /** At about this rate, spread over all connections, and reads every response. */
  Load paced(int port, Operation operation, int connections, int seconds, double rate) {
    return run(port, operation, connections, seconds, rate, "check");
  }

  private Load run(
      int port, Operation operation, int connections, int seconds, double rate, String check) {
    int threads = Math.min(THREADS, connections);
    List<String> command = new ArrayList<>(List.of("wrk", "--timeout", "30s"));
    command.addAll(List.of("-t", "" + threads, "-c", "" + connections, "-d", seconds + "s"));
    command.addAll(List.of("-s", Laboratory.home().resolve("lab/requests.lua").toString()));
    command.addAll(List.of("http://127.0.0.1:" + port, "--", plan.toString(), operation.mix()));
    command.addAll(List.of("" + threads, "" + rate / connections, check));
    return read(laboratory.processes().run(command, Map.of()));
  }

  /** Parses the line that the script prints at the end. */
  static Load read(String output) {
    String[] words =
        output
            .lines()
            .filter(line -> line.startsWith("bench "))
            .findFirst()
            .orElseThrow(
                () -> new IllegalStateException("Cannot parse the output of wrk:\n" + output))
            .split(" ", 9);
    return new Load(
        Long.parseLong(words[1]),
        Long.parseLong(words[2]) / 1e6,
        Double.parseDouble(words[3]) / 1e3,
        Double.parseDouble(words[4]) / 1e3,
        Double.parseDouble(words[5]) / 1e3,
        Long.parseLong(words[6]),
        Long.parseLong(words[7]),
        words[8]);
  }

  static Load succeeded(Load load) {
    if (load.failed > 0 || load.requests == 0) {
      throw new IllegalStateException(
          "%d of %d requests under wrk failed. %s"
              .formatted(load.failed, load.requests, load.failure));
    }
    return load;
  }
}
