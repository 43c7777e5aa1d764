package io.stockroom.client;

import io.stockroom.protocol.ErrorCode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One create request with its retries. After an attempt may have reached the server, retries keep
 * its timestamp and bytes, so that the server recognizes the request and repeats the lost response.
 * Until then, each attempt gets a new timestamp.
 */
final class CreateCall {
  /** Steps of 1, 2, 4, … seconds, which together exceed the time that any client signs ahead. */
  private static final int MAX_REUSED = 7;

  private final Transport transport;
  private final SigningClock clock;
  private final Retries retries;
  private final CreateTurns turns;
  private final OutgoingCall call;
  private boolean lost;
  private boolean corrected;
  private int reused;
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
    this.call = OutgoingCall.json("/Stock/Creat", body).with(options);
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
      Instant signedAt = turns.timestamp();
      while (true) {
        StockroomException failure;
        try {
          Answer answer = Answer.of(transport.send(call, signedAt));
          if (noted(answer).success()) {
            return null;
          }
          Instant another = anotherTimestamp(answer);
          if (another != null) {
            signedAt = another;
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
        if (!lost) {
          // no attempt reached the server, or the server did nothing: a new timestamp is safe
          signedAt = turns.timestamp();
        }
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

  /** Returns a new timestamp if the server did nothing because of the old one, otherwise null. */
  private @Nullable Instant anotherTimestamp(Answer answer) {
    ErrorCode code = answer.code();
    if (code == ErrorCode.TIMESTAMP_REUSED && reused < MAX_REUSED) {
      // that timestamp belongs to another body, so the server wrote no attempt of this one
      lost = false;
      return turns.timestampAfter(1L << reused++);
    }
    boolean late = code == ErrorCode.TIMESTAMP_WINDOW && !lost && !corrected;
    if (late && clock.learn(answer.reply().date())) {
      corrected = true;
      return turns.correctedTimestamp();
    }
    return null;
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

  /** Sending the same bytes with the same timestamp is always safe; this says when it may help. */
  private static boolean mayResend(StockroomException failure) {
    return failure instanceof UnexpectedAnswerException unexpected
        ? unexpected.isTemporary()
        : failure instanceof NoAnswerException
            || failure instanceof RateLimitedException
            || failure instanceof ServerUnavailableException;
  }
}
