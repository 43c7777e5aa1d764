package io.stockroom.client;

import io.stockroom.protocol.ErrorCode;

/**
 * Makes calls that may be sent again when the server says that it did nothing (429, 503), and once
 * more when it says that the clock is off. Every attempt is signed anew. Other failures are never
 * retried: a lost answer of product detail may have been charged.
 */
final class Calls {
  private final Transport transport;
  private final SigningClock clock;
  private final Retries retries;

  Calls(Transport transport, SigningClock clock, Retries retries) {
    this.transport = transport;
    this.clock = clock;
    this.retries = retries;
  }

  /** Gives the answer, a success or one that has the status 200 and says why not. */
  Answer ask(OutgoingCall call) {
    boolean corrected = false;
    for (int attempt = 0; ; ) {
      StockroomException failure;
      try {
        Answer answer = Answer.of(transport.send(call, clock.now()));
        if (answer.reply().status() == 200) {
          return answer;
        }
        boolean late = answer.code() == ErrorCode.TIMESTAMP_WINDOW;
        if (late && !corrected && clock.learn(answer.reply().date())) {
          corrected = true;
          continue;
        }
        failure = answer.failure();
      } catch (RateLimitedException | ServerUnavailableException early) {
        failure = early;
      }
      boolean again =
          failure instanceof RateLimitedException || failure instanceof ServerUnavailableException;
      if (!again || !retries.waitAfter(failure, attempt++)) {
        throw failure;
      }
    }
  }
}
