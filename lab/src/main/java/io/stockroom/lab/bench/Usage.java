package io.stockroom.lab.bench;

import java.util.stream.LongStream;

/** CPU usage during a measurement, as shares of all CPUs. */
record Usage(
    double seconds, int processors, double server, double postgres, double driver, double others) {
  static final double NOISE = 0.1;

  /** All counters at one moment. */
  record Reading(long nanos, Machine.Total total, long server, long postgres, long driver) {
    static Reading of(Machine machine, long serverPid, long... postgresPids) {
      return new Reading(
          System.nanoTime(),
          machine.total(),
          machine.process(serverPid).own(),
          LongStream.of(postgresPids).map(machine::ticksOfTree).sum(),
          machine.process(ProcessHandle.current().pid()).own());
    }

    Usage until(Reading end) {
      double all = Math.max(1, end.total.all() - total.all());
      double server = (end.server - this.server) / all;
      double postgres = (end.postgres - this.postgres) / all;
      double driver = (end.driver - this.driver) / all;
      double ours = server + postgres + driver;
      double busy = (end.total.busy() - total.busy()) / all;
      return new Usage(
          (end.nanos - nanos) / 1e9,
          Runtime.getRuntime().availableProcessors(),
          server,
          postgres,
          driver,
          Math.max(0, busy - ours));
    }
  }

  /** Of all programs together. */
  double all() {
    return server + postgres + driver + others;
  }

  boolean isNoisy() {
    return others > NOISE;
  }

  /** CPU time of a share per request, in microseconds. */
  double microsEach(double share, double requests) {
    return share * seconds * processors * 1e6 / Math.max(1, requests);
  }
}
