package io.stockroom.core.traffic;

import java.time.Instant;
import java.util.List;

/**
 * The call counts of a period.
 *
 * @param begin the start of the first point
 * @param points one per step; the last step is not over yet
 * @param endpoints the called endpoints, most calls first
 * @param causes the error codes, most frequent first
 * @param total the sum of all points
 */
public record History(
    Period period,
    Instant begin,
    List<Point> points,
    List<Endpoint> endpoints,
    List<Cause> causes,
    Point total) {
  /**
   * The counts of one step.
   *
   * @param unlogged calls that are not in the request log
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

  /** The counts of one path of the interface. */
  public record Endpoint(String path, Point total) {}

  /** An error code, its status and its number of calls. */
  public record Cause(String code, int status, long calls) {}

  public boolean isEmpty() {
    return total.calls() == 0;
  }
}
