package io.stockroom.client;

import io.stockroom.protocol.ErrorCode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One create request, through as many attempts as it takes. It keeps its timestamp and its bytes,
 * so that the server recognises a request whose answer was lost and gives that answer again; it
 * gets another timestamp only where the server itself said that it did nothing with this one.
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
    try {
      turns.await();
      Instant signedAt = turns.timestamp();
      for (int attempt = 0; ; attempt++) {
        StockroomException failure;
        Instant another = null;
        try {
          Answer answer = Answer.of(transport.send(call, signedAt));
          if (noted(answer).success()) {
            return null;
          }
          failure = answer.failure();
          another = attempt > retries.most() ? null : anotherTimestamp(answer);
        } catch (StockroomException unusable) {
          failure = unusable;
        }
        if (another != null) {
          signedAt = another;
          continue;
        }
        lost |= isLost(failure);
        if (!mayResend(failure) || !retries.waitAfter(failure, attempt)) {
          return failure;
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
    if (code == ErrorCode.TIMESTAMP_REUSED) {
      // that timestamp belongs to another body, so no attempt of this one can have been written
      lost = false;
      return turns.timestamp();
    }
    boolean late = code == ErrorCode.TIMESTAMP_WINDOW && !lost && !corrected;
    if (late && clock.learn(answer.reply().date())) {
      corrected = true;
      return turns.correctedTimestamp();
    }
    return null;
  }

  private static boolean isLost(StockroomException failure) {
    return failure instanceof NoAnswerException
        || failure instanceof CallInterruptedException
        || failure instanceof UnexpectedAnswerException
        || failure instanceof ServerUnavailableException
        || failure instanceof ServerFaultException;
  }

  /** Sending the same bytes with the same timestamp is always safe; here it is also of use. */
  private static boolean mayResend(StockroomException failure) {
    if (failure instanceof UnexpectedAnswerException unexpected) {
      int status = failure.status().orElse(0);
      return unexpected.lost() || status == 502 || status == 504;
    }
    return failure instanceof NoAnswerException
        || failure instanceof RateLimitedException
        || failure instanceof ServerUnavailableException;
  }
}
