package io.stockroom.core.call;

import io.stockroom.core.admission.CallKind;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.sql.SQLException;

/** One call of the interface: reads its request, then does the work. */
public interface Endpoint<Q> {
  /** The concurrency limit that it shares. */
  default CallKind kind() {
    return CallKind.READ;
  }

  /** Whether it reads the header {@code Idempotency-Key}. */
  default boolean takesIdempotencyKey() {
    return false;
  }

  /**
   * Whether it is a command that changes or ends something that exists, such as a deletion. No
   * message suggests it to a client that meant another call. If it takes no idempotency key, it
   * rejects one, because it would not keep what a key promises.
   */
  default boolean isCommand() {
    return false;
  }

  /**
   * Whether a repeated request gets its first answer again, without doing the work twice, although
   * it has no idempotency key.
   */
  default boolean isReplayable() {
    return false;
  }

  /** What it demands of the signature. */
  default SignatureRule signatureRule() {
    return SignatureRule.ANY;
  }

  /** Reads the request, or throws all of its problems. Does not use the database. */
  Q read(Call call, RequestContent content) throws InvalidRequest;

  /** Answers a well-formed request. */
  Answer answer(Call call, Q request) throws SQLException;
}
