package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sends the statements of twins over as many connections as the server is loaded with. */
interface Twin {
  /**
   * A twin and how often it is drawn.
   *
   * @param variables what it gets from outside
   */
  record Weighted(Path script, int weight, Map<String, String> variables) {}

  String tool();

  /** Gives how many of them were done in a second. */
  double rate(List<Weighted> scripts, int connections, int seconds)
      throws IOException, InterruptedException;

  /** Sends so many of them a second, evenly; null where the tool cannot. */
  default @Nullable Load paced(List<Weighted> scripts, int connections, double rate, int seconds)
      throws IOException, InterruptedException {
    return null;
  }
}
