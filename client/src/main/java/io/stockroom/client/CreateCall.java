package io.stockroom.client;

import io.stockroom.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * One create request with its retries. All attempts have the same idempotency key, so that the
 * server recognizes the request and repeats a lost response.
 */
final class CreateCall {
  private final Transport transport;
  private final SigningClock clock;
  private final Retries retries;
  private final CreateTurns turns;
  private final OutgoingCall call;
  private boolean lost;
  private boolean corrected;
  private @Nullable String requestId;

  CreateCall(
      Transport transport,
      SigningClock clock,
      Retries retries,
      CreateTurns turns,
      byte[] body,
      CallOptions options) {
    this.transport = transport;
    this.clock = clock;
    this.retries = retries;
    this.turns = turns;
    this.call = OutgoingCall.json("/Stock/Creat", body).with(options.orRandomKey());
  }

  /** Whether an attempt was sent and its result is unknown. */
  boolean lost() {
    return lost;
  }

  /** The id of the last response. */
  @Nullable String requestId() {
    return requestId;
  }

  /** Returns null if the request was created, otherwise why not. */
  @Nullable StockroomException run() {
    RetryBudget budget = retries.newBudget();
    try {
      turns.await();
      while (true) {
        StockroomException failure;
        try {
          Answer answer = Answer.of(transport.send(call, clock.now()));
          if (noted(answer).success()) {
            return null;
          }
          if (corrected(answer)) {
            continue;
          }
          failure = answer.failure();
        } catch (StockroomException unusable) {
          failure = unusable;
        }
        lost |= isLost(failure);
        if (failure instanceof RateLimitedException) {
          turns.contended();
        }
        if (!mayResend(failure) || !budget.waitAfter(failure)) {
          return failure;
        }
        transport.logRetry(call, failure);
      }
    } catch (CallInterruptedException interrupted) {
      return interrupted;
    }
  }

  /** Only a response with status 200 counts against the rate limit. */
  private Answer noted(Answer answer) {
    requestId = answer.reply().header("X-Request-Id");
    if (answer.reply().status() == 200) {
      turns.spent(answer.reply());
    }
    return answer;
  }

  /** Whether the server rejected only the time, and stated its own. */
  private boolean corrected(Answer answer) {
    boolean now =
        answer.code() == ErrorCode.TIMESTAMP_WINDOW
            && !corrected
            && clock.learn(answer.reply().date());
    corrected |= now;
    return now;
  }

  private static boolean isLost(StockroomException failure) {
    if (failure instanceof NoAnswerException none) {
      return !none.isUnsent();
    }
    return failure instanceof CallInterruptedException
        || failure instanceof UnexpectedAnswerException
        || failure instanceof ServerUnavailableException
        || failure instanceof ServerErrorException;
  }

  /** Sending it again with its key is always safe; this says when it may help. */
  private static boolean mayResend(StockroomException failure) {
    return failure instanceof UnexpectedAnswerException unexpected
        ? unexpected.isTemporary()
        : failure instanceof NoAnswerException
            || failure instanceof RateLimitedException
            || failure instanceof ServerUnavailableException;
  }
}
