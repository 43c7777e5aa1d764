package io.stockroom.core.access;

import io.stockroom.core.call.Caller;
import io.stockroom.protocol.Problem;

/** What the {@link Authenticator} decided. */
public sealed interface AuthenticationResult {
  /** The caller is known and may call. */
  record Authenticated(Caller caller) implements AuthenticationResult {}

  /**
   * The call is rejected.
   *
   * @param retrySeconds when to try again; 0 where that alone would not help
   * @param merchantId the merchant who sees this rejection in its request log; 0 unless signature
   *     and token are right, so that no stranger can fill that log
   * @param applicationId the application that it claimed to be; 0 where there is none
   */
  record Rejected(Problem problem, int retrySeconds, int merchantId, int applicationId)
      implements AuthenticationResult {}
}
