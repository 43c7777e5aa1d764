package io.stockroom.core.traffic;

import java.time.Instant;
import java.util.List;

/**
 * What the calls did in a period.
 *
 * @param begin when the first point begins
 * @param points one for each step, the last one still growing
 * @param endpoints what was called, the most called first
 * @param causes why calls were no success, the most frequent first
 * @param total all points together
 */
public record History(
    Period period,
    Instant begin,
    List<Point> points,
    List<Endpoint> endpoints,
    List<Cause> causes,
    Point total) {
  /**
   * A step of time.
   *
   * @param unlogged calls that the request log did not keep
   */
  public record Point(
      Instant at, long succeeded, long rejected, long failed, long unlogged, Latency latency) {
    public long calls() {
      return succeeded + rejected + failed;
    }

    public double p50() {
      return latency.millis(0.5);
    }

    public double p99() {
      return latency.millis(0.99);
    }
  }

  /** An address of the interface. */
  public record Endpoint(String path, Point total) {}

  /** An error code, its status and how often it was answered. */
  public record Cause(String code, int status, long calls) {}

  public boolean isEmpty() {
    return total.calls() == 0;
  }
}
