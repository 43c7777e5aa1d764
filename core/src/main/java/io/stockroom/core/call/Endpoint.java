package io.stockroom.core.call;

import io.stockroom.core.admission.CallKind;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.sql.SQLException;

/** One call of the interface: first the form of its request, then the business. */
public interface Endpoint<Q> {
  /** With which calls it shares a limit. */
  default CallKind kind() {
    return CallKind.READ;
  }

  /** Whether it gives a request that comes again its first answer, and does nothing twice. */
  default boolean isReplayable() {
    return false;
  }

  /** Reads the request, or throws every problem of it. Touches no database. */
  Q read(Call call, RequestContent content) throws InvalidRequest;

  /** Answers a request of right form. */
  Answer answer(Call call, Q request) throws SQLException;
}
