package io.stockroom.client;

import io.stockroom.protocol.ErrorCode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One create request, through as many attempts as it takes. Once an attempt may have reached the
 * server, it keeps its timestamp and its bytes, so that the server recognises it and gives the lost
 * answer again. Before that, every attempt has a timestamp of its own.
 */
final class CreateCall {
  /** Steps of 1, 2, 4, … seconds, which together reach beyond all that anybody signs ahead. */
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
      Transport transport, SigningClock clock, Retries retries, CreateTurns turns, byte[] body) {
    this.transport = transport;
    this.clock = clock;
    this.retries = retries;
    this.turns = turns;
    this.call = OutgoingCall.json("/Stock/Creat", body);
  }

  /** Whether an attempt was sent of which nobody knows what the server did with it. */
  boolean lost() {
    return lost;
  }

  /** The id of the last answer. */
  @Nullable String requestId() {
    return requestId;
  }

  /** Gives null when it is created, else why not. */
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
        if (!lost) {
          // no attempt reached the server, or it did nothing with it: a fresh timestamp is safe
          signedAt = turns.timestamp();
        }
      }
    } catch (CallInterruptedException interrupted) {
      return interrupted;
    }
  }

  /** Only an answer with the status 200 has taken a turn in the pace. */
  private Answer noted(Answer answer) {
    requestId = answer.reply().header("X-Request-Id");
    if (answer.reply().status() == 200) {
      turns.spent(answer.reply());
    }
    return answer;
  }

  /** A fresh timestamp where the server did nothing because of the old one, else null. */
  private @Nullable Instant anotherTimestamp(Answer answer) {
    ErrorCode code = answer.code();
    if (code == ErrorCode.TIMESTAMP_REUSED && reused < MAX_REUSED) {
      // that timestamp belongs to another body, so no attempt of this one can have been written
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

  /** Sending the same bytes with the same timestamp is always safe; here it is also of use. */
  private static boolean mayResend(StockroomException failure) {
    return failure instanceof UnexpectedAnswerException unexpected
        ? unexpected.isTemporary()
        : failure instanceof NoAnswerException
            || failure instanceof RateLimitedException
            || failure instanceof ServerUnavailableException;
  }
}
