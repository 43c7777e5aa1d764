package peer;

/** A create before the interval is over: status 429. */
public class TooManyRequests extends RuntimeException {
  private final long retrySeconds;

  public TooManyRequests(long retrySeconds) {
    super("Only one create is allowed in this time; try again in " + retrySeconds + " s.");
    this.retrySeconds = retrySeconds;
  }

  public long getRetrySeconds() {
    return retrySeconds;
  }
}
