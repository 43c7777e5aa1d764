package io.stockroom.server.call;

import io.stockroom.server.admission.CallKind;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

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

  /** Reads the request, or notes every fault of it and gives null. Touches no database. */
  @Nullable Q read(Call call, Input input, Problems problems);

  /** Answers a request of right form. */
  Answer answer(Call call, Q request) throws SQLException;
}
