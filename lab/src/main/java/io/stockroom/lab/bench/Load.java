package io.stockroom.lab.bench;

/**
 * What a load of the server gave.
 *
 * @param rate answers a second
 */
record Load(long requests, double rate, double p50Millis, double p99Millis) {}
