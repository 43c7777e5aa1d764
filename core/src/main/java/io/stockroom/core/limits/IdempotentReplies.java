package io.stockroom.core.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.core.database.SqlFailures;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Sha256;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JsonGenerator;

/**
 * Runs each call once: a call that is sent again, with the same key and body, gets the reply that
 * it had. The key is the header {@code Idempotency-Key}; a create without one is known for a short
 * time by its token, timestamp and body. Work, {@link RateLimit} and reply are one transaction,
 * which locks the row of the rate limit first: a copy of a call that is still running waits for its
 * reply.
 */
public final class IdempotentReplies {
  /** How long a call is known by its key. */
  public static final Duration KEY_LIFE = Duration.ofHours(24);

  /**
   * How long a create without a key is known: enough for a client that lost the response. A
   * timestamp says when a request was signed, and clients sign once for a batch of calls.
   */
  public static final Duration REPEAT_LIFE = Duration.ofSeconds(30);

  private static final Base64.Encoder BASE64 = Base64.getEncoder();

  private static final int SUCCESS = 200;

  /** Small, so that no other statement has to wait for the cleanup. */
  private static final int MAX_DELETED_AT_ONCE = 2000;

  /**
   * A call that may be sent again.
   *
   * @param endpoint the path; keys of different endpoints are different
   * @param bodyHash from {@link #hash}
   * @param isReplayable whether the call is known by its token, timestamp and body if it has no key
   */
  public record Repeatable(
      String endpoint, byte[] bodyHash, RateLimit limit, boolean isReplayable) {
    /** Empty if the call is done whenever it is sent. A key has no spaces. */
    private String key(Call call) {
      return call.idempotencyKey().isEmpty() && isReplayable
          ? call.caller().tokenId() + " " + call.timestamp() + " " + BASE64.encodeToString(bodyHash)
          : call.idempotencyKey();
    }
  }

  /**
   * The second statement sees what was committed before the first one got its lock. It returns
   * replies that have expired as well: with a condition on their time, the planner may read all
   * replies in the order in which they expire.
   */
  private static final Sql HOLD_AND_FIND =
      Sql.of(
          RateLimit.HOLD
              + """
              ;
              select body_hash, code, answer, expires_at <= now() as expired
              from idempotent_reply
              where merchant_id = :merchantId and application_id = :applicationId
                and endpoint = :endpoint and key = :key
              """);

  /**
   * Counts the call in the same statement because another one would be a round trip. Replaces a
   * reply that has expired but is not deleted yet.
   */
  private static final Sql SAVE =
      Sql.of(
          """
          with spent as (
            update call_rate
            set calls = (calls || :now::timestamptz)[greatest(1, cardinality(calls) + 2 - :limit):]
            where merchant_id = :merchantId and application_id = :applicationId
              and endpoint = :endpoint
          )
          insert into idempotent_reply
            (merchant_id, application_id, endpoint, key, body_hash, code, answer, expires_at)
          select :merchantId, :applicationId, :endpoint, :key, :bodyHash, :code, :answer,
            :now::timestamptz + :lifeSeconds * interval '1 second'
          where :key <> ''
          on conflict (merchant_id, application_id, endpoint, key) do update
          set body_hash = excluded.body_hash, code = excluded.code, answer = excluded.answer,
            expires_at = excluded.expires_at
          """);

  private static final Sql DELETE_OLD =
      Sql.of(
          """
          delete from idempotent_reply where (merchant_id, application_id, endpoint, key) in (
            select merchant_id, application_id, endpoint, key from idempotent_reply
            where expires_at < now() order by expires_at limit :limit
            for update skip locked
          )
          """);

  /** The reply that was given before, to the byte. */
  private record Replayed(String json, String code) implements Answer {
    @Override
    public Map<String, String> headers() {
      return code.isEmpty() ? Map.of() : Map.of(Answer.ERROR_CODE, code);
    }

    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeRaw(json);
    }
  }

  private record Reply(byte[] bodyHash, String code, String answer, boolean expired) {
    static Reply read(ResultSet row) throws SQLException {
      return new Reply(
          row.getBytes("body_hash"),
          row.getString("code"),
          row.getString("answer"),
          row.getBoolean("expired"));
    }
  }

  private record Calls(int merchantId, String endpoint) {}

  /**
   * A circuit breaker per merchant and endpoint: while a long transaction, such as an import, locks
   * the rows of a merchant, its creates are rejected immediately instead of holding a connection.
   * Once in a while one of them tries again.
   */
  private static final class BusyMerchants {
    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    /** Longer than one try takes, so that only one call tries at a time. */
    private static final long TRY_NANOS = RateLimit.LOCK_WAIT.plusSeconds(1).toNanos();

    private static final long FORGOTTEN_NANOS = Duration.ofMinutes(1).toNanos();

    private final Map<Calls, Long> pausedUntil = new ConcurrentHashMap<>();

    boolean mayTry(Calls calls) {
      Long until = pausedUntil.get(calls);
      if (until == null) {
        return true;
      }
      long now = System.nanoTime();
      return now - until >= 0 && pausedUntil.replace(calls, until, now + TRY_NANOS);
    }

    void busy(Calls calls) {
      long now = System.nanoTime();
      pausedUntil.values().removeIf(until -> now - until > FORGOTTEN_NANOS);
      pausedUntil.put(calls, now + PAUSE_NANOS);
    }

    void free(Calls calls) {
      pausedUntil.remove(calls);
    }
  }

  private final Cells cells;
  private final BusyMerchants busy = new BusyMerchants();

  public IdempotentReplies(Cells cells) {
    this.cells = cells;
  }

  /** The hash by which a call that is sent again is recognized. */
  public static byte[] hash(byte[] body) {
    return Sha256.of(body);
  }

  /** Runs {@code work} in a transaction, unless it was done before or comes too early. */
  public Answer once(Call call, Repeatable request, Database.Work<Answer> work)
      throws SQLException {
    Calls calls = new Calls(call.caller().merchantId(), request.endpoint);
    if (!busy.mayTry(calls)) {
      return merchantBusy();
    }
    try {
      Answer answer =
          cells
              .of(call.caller().merchantId())
              .write(connection -> decide(connection, call, request, work));
      busy.free(calls);
      return answer;
    } catch (SQLException failure) {
      if (!SqlFailures.isLockTimeout(failure)) {
        throw failure;
      }
      busy.busy(calls);
      return merchantBusy();
    }
  }

  private static Answer merchantBusy() {
    int seconds = ConcurrencyLimits.retrySeconds();
    return Rejection.of("", ErrorCode.MERCHANT_BUSY, seconds)
        .with("Retry-After", Integer.toString(seconds));
  }

  private Answer decide(
      Connection connection, Call call, Repeatable request, Database.Work<Answer> work)
      throws SQLException {
    String key = request.key(call);
    List<RateLimit.Turn> turns = new ArrayList<>(1);
    List<Reply> replies = new ArrayList<>(1);
    request
        .limit
        .hold(HOLD_AND_FIND.on(connection), call.caller(), request.endpoint)
        .set("key", key)
        .forEachOfEach(
            row -> turns.add(request.limit.turn(row)), row -> replies.add(Reply.read(row)));
    RateLimit.Turn turn = turns.getFirst();
    Reply reply = replies.isEmpty() || replies.getFirst().expired ? null : replies.getFirst();
    if (reply != null && Arrays.equals(reply.bodyHash, request.bodyHash)) {
      return ended(connection, new Replayed(reply.answer, reply.code));
    }
    if (reply != null) {
      // waiting does not help, so the rate limit does not matter
      return ended(
          connection, Rejection.of("headers.Idempotency-Key", ErrorCode.IDEMPOTENCY_MISMATCH, key));
    }
    if (turn.isTooEarly()) {
      return ended(connection, turn.tooEarly());
    }
    Answer answer = work.run(connection);
    if (answer.status() != SUCCESS) {
      return ended(connection, answer);
    }
    save(connection, call, request, turn, answer);
    return turn.spent(answer);
  }

  /**
   * Ends a transaction that has only locked rows. A commit would wait for the disk and keep others
   * waiting for the rows; the commit that follows has nothing left to do.
   */
  private static Answer ended(Connection connection, Answer answer) throws SQLException {
    connection.rollback();
    return answer;
  }

  private void save(
      Connection connection, Call call, Repeatable request, RateLimit.Turn turn, Answer answer)
      throws SQLException {
    Duration life = call.idempotencyKey().isEmpty() ? REPEAT_LIFE : KEY_LIFE;
    SAVE.on(connection)
        .set("now", turn.at())
        .set("limit", request.limit.calls())
        .set("merchantId", call.caller().merchantId())
        .set("applicationId", call.caller().applicationId())
        .set("endpoint", request.endpoint)
        .set("key", request.key(call))
        .set("bodyHash", request.bodyHash)
        .set("code", answer.code())
        .set("answer", new String(answer.json(call.language()), UTF_8))
        .set("lifeSeconds", life.toSeconds())
        .update();
  }

  /** Deletes replies that have expired, in small steps. */
  public void deleteOld() throws SQLException {
    cells.each(
        database -> {
          int deleted;
          do {
            deleted =
                database.write(
                    connection ->
                        DELETE_OLD.on(connection).set("limit", MAX_DELETED_AT_ONCE).update());
          } while (deleted == MAX_DELETED_AT_ONCE);
        });
  }
}
