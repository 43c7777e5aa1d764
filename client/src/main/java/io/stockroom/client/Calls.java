package io.stockroom.client;

import io.stockroom.protocol.ErrorCode;

/**
 * Makes all calls except creates. Retries where that is safe: always if the server did nothing
 * (429, 503) or nothing was sent; after a lost response only for reads, because a product detail
 * may have been charged. Signs each attempt separately.
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

  /** Returns the response: a success, or a business error with status 200. */
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
