package io.stockroom.client;

import io.stockroom.protocol.ErrorCode;

/**
 * Makes every call but creates. A call is sent again where that is safe: always when the server did
 * nothing (429, 503) or nothing was sent, and after a lost answer only when the call reads, since a
 * product detail may have been charged. Every attempt is signed anew.
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
    RetryBudget budget = retries.newBudget();
    boolean corrected = false;
    while (true) {
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
      } catch (StockroomException unusable) {
        failure = unusable;
      }
      if (!mayRepeat(call, failure) || !budget.waitAfter(failure)) {
        throw failure;
      }
    }
  }

  private static boolean mayRepeat(OutgoingCall call, StockroomException failure) {
    if (failure instanceof NoAnswerException none) {
      return none.isUnsent() || call.isRead();
    }
    if (failure instanceof UnexpectedAnswerException unexpected) {
      return unexpected.isTemporary() && call.isRead();
    }
    return failure instanceof RateLimitedException || failure instanceof ServerUnavailableException;
  }
}
