package io.stockroom.conformance;

/** Sends a request to a server and returns the response. */
@FunctionalInterface
interface Transport {
  Answer send(Request request);
}
