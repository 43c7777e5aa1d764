package io.stockroom.lab.bench;

/**
 * The result of loading the server.
 *
 * @param rate responses per second
 */
record LoadResult(long requests, double rate, double p50Millis, double p99Millis) {}
