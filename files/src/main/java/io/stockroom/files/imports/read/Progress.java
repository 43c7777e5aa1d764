package io.stockroom.files.imports.read;

/** The progress of an import and whether it was stopped. One thread reports, others read. */
public final class Progress {
  /** The import was cancelled, or another node has taken over. */
  public static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Stopped() {
      super("stopped", null, false, false);
    }
  }

  /** A snapshot of the progress. */
  public record Moment(String phase, long done, long total, String unit) {}

  private volatile Moment moment = new Moment("reading", 0, 0, "bytes");
  private volatile boolean stopped;

  public void at(String phase, long done, long total, String unit) {
    check();
    moment = new Moment(phase, Math.min(done, total), total, unit);
  }

  /** Counts bytes in the reading phase only: the file is read again for the rejected rows. */
  public void read(long bytes, long total) {
    if (moment.phase.equals("reading")) {
      at("reading", bytes, total, "bytes");
    }
    check();
  }

  public Moment moment() {
    return moment;
  }

  /** Throws if the import was stopped. Call it often. */
  public void check() {
    if (stopped) {
      throw new Stopped();
    }
  }

  public void stop() {
    stopped = true;
  }

  public boolean stopped() {
    return stopped;
  }
}
