package io.stockroom.client;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;

/**
 * Makes all calls except creates. Retries where that is safe: always if the server did nothing
 * (429, 503) or nothing was sent; after a lost response only for reads and calls with an
 * idempotency key, because a product detail may have been charged. Signs each attempt separately.
 */
final class Calls {
  private final Transport transport;
  private final SigningClock clock;
  private final Retries retries;
  private final Language language;

  /** Reads a request and rejects it as the server would. */
  interface RequestReader {
    Object read(RequestContent content) throws InvalidRequest;
  }

  Calls(Transport transport, SigningClock clock, Retries retries, Language language) {
    this.transport = transport;
    this.clock = clock;
    this.retries = retries;
    this.language = language;
  }

  /** The same calls with another timeout. */
  Calls with(Transport other) {
    return new Calls(other, clock, retries, language);
  }

  /** Makes a call if the server would accept its form; otherwise sends nothing. */
  Answer ask(OutgoingCall call, RequestReader reader) {
    try {
      Object unused = reader.read(RequestContent.of(call.contentType(), "", call.body()));
    } catch (InvalidRequest invalid) {
      throw InvalidRequestException.unsent(invalid, language);
    }
    return ask(call);
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
      transport.logRetry(call, failure);
    }
  }

  private static boolean mayRepeat(OutgoingCall call, StockroomException failure) {
    if (failure instanceof NoAnswerException none) {
      return none.isUnsent() || call.isRepeatable();
    }
    if (failure instanceof UnexpectedAnswerException unexpected) {
      return unexpected.isTemporary() && call.isRepeatable();
    }
    return failure instanceof RateLimitedException || failure instanceof ServerUnavailableException;
  }
}
