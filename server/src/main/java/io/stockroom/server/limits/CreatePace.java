package io.stockroom.server.limits;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.server.access.Caller;
import io.stockroom.server.database.Database;
import io.stockroom.server.database.Rows;
import io.stockroom.server.database.Sql;
import io.stockroom.server.http.Answer;
import io.stockroom.server.http.Call;
import io.stockroom.server.http.Json;
import io.stockroom.server.http.Refused;
import io.stockroom.server.load.Load;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Lets an application create stock for a merchant once per interval, and answers a request that is
 * sent again with the answer it had. Both are decided while holding one row per application and
 * merchant, by the database's clock, so they are exact over all nodes.
 */
public final class CreatePace {
  /**
   * How long a create waits for rows that another transaction holds. Creates hold them for a
   * moment, an import for minutes.
   */
  static final Duration LOCK_WAIT = Duration.ofSeconds(2);

  /** The answer that was given before, to the byte. */
  private record Replayed(String json) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeRaw(json);
    }
  }

  /** When the database let this request take its turn, and how long it should have waited. */
  private record Turn(Instant at, long waitMillis) {}

  private record Reply(byte[] bodyHash, String answer) {}

  private final Database database;
  private final BusyMerchants busy = new BusyMerchants();

  public CreatePace(Database database) {
    this.database = database;
  }

  /** Runs {@code work}, pace and answer in one transaction. */
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
    int seconds = Load.retrySeconds();
    return Refused.of("", ErrorCode.MERCHANT_BUSY, seconds)
        .with("Retry-After", Integer.toString(seconds));
  }

  private Answer decide(
      Connection connection, Call call, byte[] bodyHash, Database.Work<Answer> work)
      throws SQLException {
    Turn turn = hold(connection, call.caller());
    Reply reply = reply(connection, call);
    if (reply != null && Arrays.equals(reply.bodyHash, bodyHash)) {
      return new Replayed(reply.answer);
    }
    Duration interval = call.caller().limits().createInterval();
    if (turn.waitMillis > 0) {
      long seconds = (turn.waitMillis + 999) / 1000;
      Answer refused = Refused.of("", ErrorCode.CREATE_PACE, seconds(interval), seconds);
      Instant again = turn.at.plusMillis(turn.waitMillis);
      return Limited.of(refused, List.of(allowance(interval, again)), turn.at)
          .retryAt(turn.at, again);
    }
    if (reply != null) {
      return Refused.of("headers.timestamp", ErrorCode.TIMESTAMP_REUSED, call.timestamp());
    }
    Answer answer = work.run(connection);
    spend(connection, call, turn, bodyHash, Json.text(answer, call.language()));
    return Limited.of(answer, List.of(allowance(interval, turn.at.plus(interval))), turn.at);
  }

  /** The lock timeout is set in the same statement because another one would be a round trip. */
  private static final Sql HOLD =
      Sql.of(
          """
          insert into create_pace as p (merchant_id, application_id, last_at)
          select :merchantId, :applicationId, '-infinity'::timestamptz
          where set_config('lock_timeout', :lockTimeout, true) is not null
          on conflict (merchant_id, application_id) do update set last_at = p.last_at
          returning clock_timestamp() as now, greatest(0, ceil(extract(epoch from
            greatest(last_at, '2000-01-01') - clock_timestamp()) * 1000 + :intervalMillis))::bigint
            as wait_millis
          """);

  /** Locks the row of this application and merchant, and says how long it has to wait. */
  private static Turn hold(Connection connection, Caller caller) throws SQLException {
    return HOLD.on(connection)
        .set("merchantId", caller.merchantId())
        .set("applicationId", caller.applicationId())
        .set("lockTimeout", Long.toString(LOCK_WAIT.toMillis()))
        .set("intervalMillis", caller.limits().createInterval().toMillis())
        .one(row -> new Turn(Rows.instant(row, "now"), row.getLong("wait_millis")));
  }

  private static final Sql REPLY =
      Sql.of(
          """
          select body_hash, answer from create_reply
          where merchant_id = :merchantId and application_id = :applicationId
            and token_id = :tokenId and signed_at = :signedAt
          """);

  private static @Nullable Reply reply(Connection connection, Call call) throws SQLException {
    return REPLY
        .on(connection)
        .set("merchantId", call.caller().merchantId())
        .set("applicationId", call.caller().applicationId())
        .set("tokenId", call.caller().tokenId())
        .set("signedAt", call.timestamp())
        .first(row -> new Reply(row.getBytes("body_hash"), row.getString("answer")));
  }

  private static final Sql SPEND =
      Sql.of(
          """
          with spent as (
            update create_pace set last_at = :now
            where merchant_id = :merchantId and application_id = :applicationId
          )
          insert into create_reply
            (merchant_id, application_id, token_id, signed_at, body_hash, answer)
          values (:merchantId, :applicationId, :tokenId, :signedAt, :bodyHash, :answer)
          """);

  private static void spend(
      Connection connection, Call call, Turn turn, byte[] bodyHash, String answer)
      throws SQLException {
    SPEND
        .on(connection)
        .set("now", turn.at)
        .set("merchantId", call.caller().merchantId())
        .set("applicationId", call.caller().applicationId())
        .set("tokenId", call.caller().tokenId())
        .set("signedAt", call.timestamp())
        .set("bodyHash", bodyHash)
        .set("answer", answer)
        .update();
  }

  /** One request per interval: after a request none is left until the interval is over. */
  private static Allowance allowance(Duration interval, Instant resetsAt) {
    long seconds = Math.ceilDiv(interval.toMillis(), 1000L);
    return new Allowance("create", 1, interval.isZero() ? 0 : 1, seconds, resetsAt);
  }

  private static String seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
  }

  private static final Sql FORGET =
      Sql.of(
          """
          delete from create_reply where answered_at < now() - :seconds * interval '1 second'
          """);

  /** Deletes replies that no timestamp within the window can ask for any more. */
  public void forgetOldReplies(Duration window) throws SQLException {
    database.write(
        connection -> FORGET.on(connection).set("seconds", window.toSeconds() * 2 + 60).update());
  }
}
