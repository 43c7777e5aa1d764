package io.stockroom.server.access;

import io.stockroom.protocol.Problem;

/** What the gate decided: a {@link Caller}, or why there is none. */
public sealed interface Admission permits Caller, Admission.Refused {
  record Refused(Problem problem) implements Admission {}
}
