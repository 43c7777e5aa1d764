package io.stockroom.lab.bench;

import java.io.IOException;
import java.util.List;

/**
 * Measures with real-time priority: this program and those that it starts never wait for a CPU that
 * the server or PostgreSQL uses. On a machine of its own a load driver would not wait for one
 * either, and its waits would count as latency of the server. Needs root and {@code chrt}.
 */
final class RealTime {
  /** A measurement. */
  interface Measurement<T> {
    T run() throws IOException, InterruptedException;
  }

  private RealTime() {}

  /** Runs a measurement; with ordinary priority if this program may not have another. */
  static <T> T measure(Tools tools, Measurement<T> measurement)
      throws IOException, InterruptedException {
    if (!begins(tools)) {
      Bench.say("  without real-time priority, which needs root and chrt");
      return measurement.run();
    }
    try {
      return measurement.run();
    } finally {
      schedule(tools, "--other", "0");
    }
  }

  private static boolean begins(Tools tools) throws IOException, InterruptedException {
    if (!Tools.isThere("chrt")) {
      return false;
    }
    try {
      schedule(tools, "--fifo", "1");
      return true;
    } catch (BenchException refused) {
      return false;
    }
  }

  /** Schedules all threads, so that none waits for another one of this program. */
  private static void schedule(Tools tools, String policy, String priority)
      throws IOException, InterruptedException {
    String self = Long.toString(ProcessHandle.current().pid());
    var _ = tools.run(List.of("chrt", "--all-tasks", policy, "--pid", priority, self));
  }
}
