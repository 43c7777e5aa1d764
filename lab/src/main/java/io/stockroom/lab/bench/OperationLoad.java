package io.stockroom.lab.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Sends the requests of operations to one server: with wrk, or with the bundled driver. */
final class OperationLoad {
  private static final int READS_PER_SECOND = 7_000;
  private static final int MAX_READS = 20_000;
  private static final int FIRST_CREATES = 64;

  private final int port;
  private final int connections;
  private final LoadDriver driver;
  private final LoadDriver warmUp;
  private final Wrk wrk;
  private final boolean hasWrk = Tools.isThere("wrk");

  /**
   * @param lab the folder with the script of wrk
   * @param folder for the file with the requests
   */
  OperationLoad(Tools tools, Path lab, Path folder, int port, int connections) {
    this.port = port;
    this.connections = connections;
    this.driver = new LoadDriver(port, connections);
    this.warmUp = LoadDriver.resending(port, connections);
    this.wrk = new Wrk(tools, lab.resolve("requests.lua"), folder);
  }

  LoadDriver driver() {
    return driver;
  }

  String tool() {
    return hasWrk ? "wrk" : "the bundled driver";
  }

  /** Reads reuse this many requests; creates use each request once. */
  static int reads(int seconds) {
    return Math.min(MAX_READS, READS_PER_SECOND * seconds);
  }

  /**
   * Prepares the requests of one measurement.
   *
   * @param rate what the server has reached; in reserve, twice as many creates are prepared
   */
  static List<byte[]> requests(Requests requests, Operation operation, double rate, int seconds) {
    return requests.make(
        operation, operation.creates() ? (int) (rate * seconds * 2) + 1000 : reads(seconds));
  }

  LoadResult run(Operation operation, List<byte[]> made, int seconds)
      throws IOException, InterruptedException {
    return hasWrk
        ? wrk.run(port, made, operation.creates(), connections, seconds)
        : driver.closed(made, operation.creates(), seconds);
  }

  /** Checks every response. Returns all requests, and the rate at the end. */
  LoadResult warmUp(Requests requests, Operation operation, int seconds, int reads)
      throws InterruptedException {
    if (!operation.creates()) {
      return warmUp.closed(requests.make(operation, reads), false, seconds);
    }
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    LoadResult last = warmUp.each(requests.make(operation, FIRST_CREATES));
    long count = last.requests();
    while (System.nanoTime() - end < 0) {
      last = warmUp.each(requests.make(operation, (int) Math.max(FIRST_CREATES, last.rate())));
      count += last.requests();
    }
    return new LoadResult(count, last.rate(), last.p50Millis(), last.p99Millis());
  }
}
