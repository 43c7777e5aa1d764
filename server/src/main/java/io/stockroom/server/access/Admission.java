package io.stockroom.server.access;

import io.stockroom.protocol.Problem;

/** What the gate decided: a {@link Caller}, or why there is none. */
public sealed interface Admission permits Caller, Admission.Refused {
  /**
   * Nobody is let in.
   *
   * @param retrySeconds when to try again; 0 where that alone would not help
   */
  record Refused(Problem problem, int retrySeconds) implements Admission {}
}
