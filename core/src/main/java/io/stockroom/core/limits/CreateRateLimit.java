package io.stockroom.core.limits;

import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.database.Rows;
import io.stockroom.core.database.Sql;
import io.stockroom.core.limits.Allowance.Limited;
import io.stockroom.protocol.ErrorCode;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Allows an application one create per interval and merchant. Decides by the database's clock,
 * while it locks the row of the application and merchant, so the limit is exact across all nodes.
 */
final class CreateRateLimit {
  /**
   * How long a create waits for rows locked by another transaction. A create locks them for
   * milliseconds, an import for minutes.
   */
  static final Duration LOCK_WAIT = Duration.ofSeconds(2);

  /** Also sets the lock timeout, to save a round trip. */
  private static final Sql HOLD =
      Sql.of(
          """
          insert into create_rate as p (merchant_id, application_id, last_at)
          select :merchantId, :applicationId, '-infinity'::timestamptz
          where set_config('lock_timeout', :lockTimeout, true) is not null
          on conflict (merchant_id, application_id) do update set last_at = p.last_at
          returning clock_timestamp() as now, greatest(0, ceil(extract(epoch from
            greatest(last_at, '2000-01-01') - clock_timestamp()) * 1000 + :intervalMillis))::bigint
            as wait_millis
          """);

  /**
   * The decision on one request.
   *
   * @param at the database's time
   * @param waitMillis how long the caller must wait; 0 if it may create now
   */
  record Turn(Duration interval, Instant at, long waitMillis) {
    boolean isTooEarly() {
      return waitMillis > 0;
    }

    /** The answer to a request within the interval. */
    Answer tooEarly() {
      Instant again = at.plusMillis(waitMillis);
      Answer rejected =
          Rejection.of(
              "",
              ErrorCode.CREATE_RATE,
              BigDecimal.valueOf(interval.toMillis(), 3).stripTrailingZeros().toPlainString(),
              Math.ceilDiv(waitMillis, 1000L));
      return Limited.of(rejected, List.of(allowance(again)), at).retryAt(at, again);
    }

    /** Adds the headers that say when the next create is allowed. */
    Answer spent(Answer answer) {
      return Limited.of(answer, List.of(allowance(at.plus(interval))), at);
    }

    /** One create per interval: none is left until the interval ends. */
    private Allowance allowance(Instant resetsAt) {
      long seconds = Math.ceilDiv(interval.toMillis(), 1000L);
      return new Allowance("create", 1, interval.isZero() ? 0 : 1, seconds, resetsAt);
    }
  }

  private CreateRateLimit() {}

  /** Locks the row of this application and merchant, and computes the wait. */
  static Turn hold(Connection connection, Caller caller) throws SQLException {
    Duration interval = caller.limits().createInterval();
    return HOLD.on(connection)
        .set("merchantId", caller.merchantId())
        .set("applicationId", caller.applicationId())
        .set("lockTimeout", Long.toString(LOCK_WAIT.toMillis()))
        .set("intervalMillis", interval.toMillis())
        .one(row -> new Turn(interval, Rows.instant(row, "now"), row.getLong("wait_millis")));
  }
}
