package io.stockroom.lab.bench;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Loads the server with wrk, which reads prepared requests from a file. */
final class Wrk {
  private static final int THREADS = 2;

  private final Tools tools;
  private final Path script;
  private final Path folder;

  Wrk(Tools tools, Path script, Path folder) {
    this.tools = tools;
    this.script = script;
    this.folder = folder;
  }

  LoadResult run(int port, List<byte[]> requests, boolean once, int connections, int seconds)
      throws IOException, InterruptedException {
    Path file = folder.resolve("requests");
    write(requests, file);
    try {
      String output =
          tools.run(
              List.of(
                  "wrk",
                  "-t",
                  "" + Math.min(THREADS, connections),
                  "-c",
                  "" + connections,
                  "-d",
                  seconds + "s",
                  "--timeout",
                  "30s",
                  "-s",
                  script.toString(),
                  "http://127.0.0.1:" + port,
                  "--",
                  file.toString(),
                  once ? "once" : "again",
                  "" + Math.min(THREADS, connections)));
      return read(output);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Parses the line that the script prints at the end. */
  static LoadResult read(String output) {
    for (String line : output.lines().toList()) {
      if (line.startsWith("bench ")) {
        String[] words = line.split(" ");
        long requests = Long.parseLong(words[1]);
        double seconds = Long.parseLong(words[2]) / 1e6;
        long failed = Long.parseLong(words[5]);
        if (failed > 0) {
          throw new BenchException(
              "%d of %d requests under wrk failed:%n%s".formatted(failed, requests, output));
        }
        if (!words[6].equals("0")) {
          throw new BenchException("All requests were sent before the time was up.");
        }
        return new LoadResult(
            requests,
            requests / seconds,
            Double.parseDouble(words[3]) / 1e3,
            Double.parseDouble(words[4]) / 1e3);
      }
    }
    throw new BenchException("Cannot parse the output of wrk:\n" + output);
  }

  private static void write(List<byte[]> requests, Path file) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
      for (byte[] request : requests) {
        out.write((request.length + "\n").getBytes(StandardCharsets.US_ASCII));
        out.write(request);
      }
    }
  }
}
