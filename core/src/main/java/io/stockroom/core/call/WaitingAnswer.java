package io.stockroom.core.call;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

/**
 * An answer that may become a better one: the caller is willing to wait for it. It is complete as
 * it is, and is sent if nothing happens, the server stops, or it has no room. While it waits, the
 * call holds no permit, no connection and no platform thread.
 */
public interface WaitingAnswer extends Answer {
  /** Completes with whether the call should ask again; completing it ends the wait. */
  CompletableFuture<Boolean> ended();

  /** Answers again. */
  Answer again() throws SQLException;
}
