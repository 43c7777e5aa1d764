package io.stockroom.core.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Runs each create once: a request that is sent again, with the same timestamp and body, gets the
 * reply that it had. Work, {@link CreateRateLimit} and reply are one transaction.
 */
public final class IdempotentReplies {
  private static final Sql FIND =
      Sql.of(
          """
          select body_hash, answer from idempotent_reply
          where merchant_id = :merchantId and application_id = :applicationId
            and token_id = :tokenId and signed_at = :signedAt
          """);

  /** Spends the interval in the same statement because another one would be a round trip. */
  private static final Sql SAVE =
      Sql.of(
          """
          with spent as (
            update create_rate set last_at = :now
            where merchant_id = :merchantId and application_id = :applicationId
          )
          insert into idempotent_reply
            (merchant_id, application_id, token_id, signed_at, body_hash, answer)
          values (:merchantId, :applicationId, :tokenId, :signedAt, :bodyHash, :answer)
          """);

  private static final Sql DELETE_OLD =
      Sql.of(
          """
          delete from idempotent_reply where answered_at < now() - :seconds * interval '1 second'
          """);

  /** The reply that was given before, to the byte. */
  private record Replayed(String json) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeRaw(json);
    }
  }

  private record Reply(byte[] bodyHash, String answer) {}

  /**
   * A circuit breaker per merchant: while a long transaction, such as an import, locks the rows of
   * a merchant, its creates are rejected immediately instead of holding a connection. Once in a
   * while one of them tries again.
   */
  private static final class BusyMerchants {
    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    /** Longer than one try takes, so that only one call tries at a time. */
    private static final long TRY_NANOS = CreateRateLimit.LOCK_WAIT.plusSeconds(1).toNanos();

    private static final long FORGOTTEN_NANOS = Duration.ofMinutes(1).toNanos();

    private final Map<Integer, Long> pausedUntil = new ConcurrentHashMap<>();

    boolean mayTry(int merchantId) {
      Long until = pausedUntil.get(merchantId);
      if (until == null) {
        return true;
      }
      long now = System.nanoTime();
      return now - until >= 0 && pausedUntil.replace(merchantId, until, now + TRY_NANOS);
    }

    void busy(int merchantId) {
      long now = System.nanoTime();
      pausedUntil.values().removeIf(until -> now - until > FORGOTTEN_NANOS);
      pausedUntil.put(merchantId, now + PAUSE_NANOS);
    }

    void free(int merchantId) {
      pausedUntil.remove(merchantId);
    }
  }

  private final Database database;
  private final BusyMerchants busy = new BusyMerchants();

  public IdempotentReplies(Database database) {
    this.database = database;
  }

  /** Runs {@code work} unless it was done before or comes too early. */
  public Answer once(Call call, byte[] bodyHash, Database.Work<Answer> work) throws SQLException {
    int merchantId = call.caller().merchantId();
    if (!busy.mayTry(merchantId)) {
      return merchantBusy();
    }
    try {
      Answer answer = database.write(connection -> decide(connection, call, bodyHash, work));
      busy.free(merchantId);
      return answer;
    } catch (SQLException failure) {
      if (!Database.isLockTimeout(failure)) {
        throw failure;
      }
      busy.busy(merchantId);
      return merchantBusy();
    }
  }

  private static Answer merchantBusy() {
    int seconds = ConcurrencyLimits.retrySeconds();
    return Rejection.of("", ErrorCode.MERCHANT_BUSY, seconds)
        .with("Retry-After", Integer.toString(seconds));
  }

  private static Answer decide(
      Connection connection, Call call, byte[] bodyHash, Database.Work<Answer> work)
      throws SQLException {
    CreateRateLimit.Turn turn = CreateRateLimit.hold(connection, call.caller());
    Reply reply = find(connection, call);
    if (reply != null && Arrays.equals(reply.bodyHash, bodyHash)) {
      return new Replayed(reply.answer);
    }
    if (turn.isTooEarly()) {
      return turn.tooEarly();
    }
    if (reply != null) {
      return Rejection.of("headers.timestamp", ErrorCode.TIMESTAMP_REUSED, call.timestamp());
    }
    Answer answer = work.run(connection);
    save(
        connection,
        call,
        turn.at(),
        new Reply(bodyHash, new String(answer.json(call.language()), UTF_8)));
    return turn.spent(answer);
  }

  private static @Nullable Reply find(Connection connection, Call call) throws SQLException {
    return FIND.on(connection)
        .set("merchantId", call.caller().merchantId())
        .set("applicationId", call.caller().applicationId())
        .set("tokenId", call.caller().tokenId())
        .set("signedAt", call.timestamp())
        .first(row -> new Reply(row.getBytes("body_hash"), row.getString("answer")));
  }

  private static void save(Connection connection, Call call, Instant now, Reply reply)
      throws SQLException {
    SAVE.on(connection)
        .set("now", now)
        .set("merchantId", call.caller().merchantId())
        .set("applicationId", call.caller().applicationId())
        .set("tokenId", call.caller().tokenId())
        .set("signedAt", call.timestamp())
        .set("bodyHash", reply.bodyHash)
        .set("answer", reply.answer)
        .update();
  }

  /** Deletes replies that no timestamp within the window can ask for any more. */
  public void deleteOld(Duration window) throws SQLException {
    database.write(
        connection ->
            DELETE_OLD.on(connection).set("seconds", window.toSeconds() * 2 + 60).update());
  }
}
