package io.stockroom.server.access;

import io.stockroom.protocol.Problem;

/** What the gate decided: a {@link Caller}, or why there is none. */
public sealed interface Admission permits Caller, Admission.Refused {
  /**
   * Nobody is let in.
   *
   * @param retrySeconds when to try again; 0 where that alone would not help
   * @param merchantId the merchant who sees this refusal in its request log; 0 unless signature and
   *     token are right, so that no stranger can fill that log
   * @param applicationId the application that it claimed to be; 0 where there is none
   */
  record Refused(Problem problem, int retrySeconds, int merchantId, int applicationId)
      implements Admission {}
}
