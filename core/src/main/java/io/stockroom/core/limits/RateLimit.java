package io.stockroom.core.limits;

import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.database.Sql;
import io.stockroom.core.limits.Allowance.Limited;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.Span;
import io.stockroom.protocol.ErrorCode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many calls an application may make for a merchant in any window of this length. It decides by
 * the database's clock while it locks one row per application, merchant and endpoint, so the limit
 * is exact over all nodes.
 *
 * @param name its short name in the headers
 * @param calls 0 if there is no limit
 * @param code the error code of a call that comes too early
 */
public record RateLimit(String name, int calls, Duration window, ErrorCode code) {
  /** No limit, so that its code is never used. */
  public static final RateLimit NONE = new RateLimit("", 0, Duration.ZERO, ErrorCode.OVERLOADED);

  /**
   * How long a call waits for rows that another transaction holds. Creates hold them for a moment,
   * an import for minutes.
   */
  static final Duration LOCK_WAIT = Duration.ofSeconds(2);

  /**
   * Locks the row of this application, merchant and endpoint, and says when a call is allowed. The
   * lock timeout is set in the same statement because another one would be a round trip. So is the
   * plan cache: planning a write for the arrays of each call would take longer than the write.
   */
  static final String HOLD =
      """
      insert into call_rate as r (merchant_id, application_id, endpoint, calls)
      select :merchantId, :applicationId, :endpoint, '{}'
      where set_config('lock_timeout', :lockTimeout, true) is not null
        and set_config('plan_cache_mode', 'force_generic_plan', true) is not null
      on conflict (merchant_id, application_id, endpoint) do update set calls = r.calls
      returning clock_timestamp() as now,
        calls[cardinality(calls) + 1 - :limit] + :windowMillis * interval '1 millisecond'
          as opens_at,
        (select count(*) from unnest(calls) c
         where c + :windowMillis * interval '1 millisecond' > clock_timestamp()) as used
      """;

  /**
   * One create per interval.
   *
   * @param limits the limits of the merchant
   */
  public static RateLimit ofCreates(Limits limits) {
    return new RateLimit("create", 1, limits.createInterval(), ErrorCode.CREATE_RATE);
  }

  /**
   * So many adjust requests per second.
   *
   * @param limits the limits of the merchant
   */
  public static RateLimit ofAdjusts(Limits limits) {
    return new RateLimit(
        "adjust", limits.adjustPerSecond(), Duration.ofSeconds(1), ErrorCode.ADJUST_RATE);
  }

  /** The answer to a call that comes a second too early. */
  public Answer tooEarly(Instant at) {
    return new Turn(this, at, at.plusSeconds(1), calls).tooEarly();
  }

  /**
   * The decision on one request.
   *
   * @param at the database's time
   * @param opensAt when the next call is allowed; null if no limit was ever reached
   * @param used the calls within the window before this one
   */
  record Turn(RateLimit limit, Instant at, @Nullable Instant opensAt, int used) {
    boolean isTooEarly() {
      return opensAt != null && opensAt.isAfter(at);
    }

    /** The answer to a request that comes too early. */
    Answer tooEarly() {
      Instant again = opensAt == null ? at : opensAt;
      Answer rejected =
          Rejection.of(
              "",
              limit.code,
              Span.of(limit.window),
              Span.of(Duration.ofSeconds(Math.max(1, Allowance.secondsUntil(at, again)))),
              limit.calls);
      return Limited.of(rejected, List.of(allowance(limit.calls, again)), at).retryAt(at, again);
    }

    /** The answer with the headers that say how many calls are left. */
    Answer spent(Answer answer) {
      if (limit.calls == 0) {
        return answer;
      }
      int now = limit.window.isZero() ? 0 : Math.min(used + 1, limit.calls);
      return Limited.of(answer, List.of(allowance(now, at.plus(limit.window))), at);
    }

    private Allowance allowance(int counted, Instant resetsAt) {
      long seconds = Math.ceilDiv(limit.window.toMillis(), 1000L);
      return new Allowance(limit.name, limit.calls, counted, seconds, resetsAt);
    }
  }

  /** Sets the parameters of statements that begin with {@link #HOLD}. */
  Sql.Call hold(Sql.Call call, Caller caller, String endpoint) {
    return call.set("merchantId", caller.merchantId())
        .set("applicationId", caller.applicationId())
        .set("endpoint", endpoint)
        .set("lockTimeout", Long.toString(LOCK_WAIT.toMillis()))
        .set("limit", calls)
        .set("windowMillis", window.toMillis());
  }

  Turn turn(ResultSet row) throws SQLException {
    return new Turn(
        this, Sql.instant(row, "now"), Sql.instantOrNull(row, "opens_at"), row.getInt("used"));
  }
}
