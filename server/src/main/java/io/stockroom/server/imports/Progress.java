package io.stockroom.server.imports;

/**
 * How far an import has come, and whether it is still wanted; told by one thread, asked by others.
 */
final class Progress {
  /** The import is not wanted any more, or not ours any more. */
  static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1;

    Stopped() {
      super("stopped", null, false, false);
    }
  }

  /** One moment of it. */
  record Moment(String phase, long done, long total, String unit) {}

  private volatile Moment moment = new Moment("reading", 0, 0, "bytes");
  private volatile boolean stopped;

  void at(String phase, long done, long total, String unit) {
    check();
    moment = new Moment(phase, Math.min(done, total), total, unit);
  }

  /** Counts bytes, while reading is what the import is at: rejected rows are read once more. */
  void read(long bytes, long total) {
    if (moment.phase.equals("reading")) {
      at("reading", bytes, total, "bytes");
    }
    check();
  }

  Moment moment() {
    return moment;
  }

  /** Called often, so that what is not wanted ends soon. */
  void check() {
    if (stopped) {
      throw new Stopped();
    }
  }

  void stop() {
    stopped = true;
  }

  boolean stopped() {
    return stopped;
  }
}
