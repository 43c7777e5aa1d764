package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs twins over as many connections as the load on the server uses. */
interface Twin {
  /**
   * A twin and its weight.
   *
   * @param variables its external variables
   */
  record Weighted(Path script, int weight, Map<String, String> variables) {}

  String tool();

  /** Returns the number of transactions per second. */
  double rate(List<Weighted> scripts, int connections, int seconds)
      throws IOException, InterruptedException;

  /** Runs at a fixed rate; null if the tool cannot. */
  default @Nullable LoadResult paced(
      List<Weighted> scripts, int connections, double rate, int seconds)
      throws IOException, InterruptedException {
    return null;
  }
}
