package io.stockroom.lab.bench;

/**
 * The result of loading the server.
 *
 * @param rate responses per second
 */
record LoadResult(long requests, double rate, double p50Millis, double p99Millis) {
  /** How much slower the slow responses are than the usual ones. */
  double p99OverP50() {
    return p99Millis / p50Millis;
  }
}
