package io.stockroom.conformance;

/** Carries a request to a server and the answer back. */
@FunctionalInterface
interface Wire {
  Answer send(Request request);
}
