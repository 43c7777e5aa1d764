package io.stockroom.core.http;

import io.stockroom.core.admission.ConcurrencyLimit.Permit;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.WaitingAnswer;
import io.stockroom.protocol.Language;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A call that waits, and what is needed of its request to answer it. */
record WaitingCall(
    Routes.Route<?> route,
    WaitingAnswer waiting,
    Language language,
    int merchantId,
    int applicationId,
    boolean acceptsGzip) {
  private static final Logger log = LoggerFactory.getLogger(WaitingCall.class);

  /**
   * Takes a new permit, outside the shares of its token and merchant: clients of one merchant wake
   * together, and share a read. If the server has no room, the answer stays as it is.
   */
  Responses.Outgoing answer(boolean isChanged) {
    try (Permit permit = route.limit().permit()) {
      boolean isAdmitted = isChanged && permit.acquire();
      return Responses.compressed(acceptsGzip, isAdmitted ? again() : waiting, language);
    }
  }

  private Answer again() {
    try {
      return waiting.again();
    } catch (SQLException | RuntimeException failure) {
      return Responses.failed(log, route.path(), failure);
    }
  }
}
