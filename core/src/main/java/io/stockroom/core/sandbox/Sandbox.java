package io.stockroom.core.sandbox;

import io.stockroom.core.call.Interceptor;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.limits.DetailLimits;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The sandbox of a server: its clock, its limits, and its own answers. If it is off, the server
 * gets its parts back as they are.
 */
public final class Sandbox {
  /** The longest time that the clock can run ahead: ten years. */
  public static final Duration MAX_AHEAD = Duration.ofDays(3650);

  /** Rate limits use the database's clock: instead of that clock, the recorded calls move. */
  private static final Sql MOVE_CALLS =
      Sql.of(
          """
          update call_rate set calls = array(
            select c - :seconds * interval '1 second' from unnest(calls) with ordinality u (c, i)
            order by i)
          """);

  private static final Sql MOVE_REPLIES =
      Sql.of(
          """
          update idempotent_reply set expires_at = expires_at - :seconds * interval '1 second'
          """);

  private static final Sql RESET =
      Sql.of(
          """
          with rates as (
            update call_rate set calls = '{}' where merchant_id = :merchantId
          ), replies as (
            delete from idempotent_reply where merchant_id = :merchantId
          ), fetches as (
            delete from detail_fetch where merchant_id = :merchantId
          ), products as (
            delete from store_product where merchant_id = :merchantId
          ), stores as (
            delete from store_usage where merchant_id = :merchantId
          )
          update detail_usage set day = date '2000-01-01', used = 0, due = 0, due_reported = 0,
            due_published = 0
          where merchant_id = :merchantId
          """);

  private final boolean isOn;
  private final Cells cells;
  private final SandboxClock clock = new SandboxClock();

  public Sandbox(boolean isOn, Cells cells) {
    this.isOn = isOn;
    this.cells = cells;
  }

  public boolean isOn() {
    return isOn;
  }

  /** The clock by which tokens expire. Timestamps are checked by the real one. */
  public Clock clock(Clock real) {
    return isOn ? clock : real;
  }

  /** The limits of product detail, by this sandbox's clock. */
  public DetailLimits detailLimits() {
    return isOn ? new DetailLimits(this::moved) : new DetailLimits(Optional::empty);
  }

  /** Answers the calls that name a {@link SandboxProduct}. */
  public Interceptor interceptor(DetailLimits limits) {
    return isOn ? new SandboxAnswers(cells, limits, clock) : Interceptor.NONE;
  }

  /** How far the clock runs ahead. */
  public Duration ahead() {
    return clock.ahead();
  }

  public Instant now() {
    return clock.instant();
  }

  /** Empty while the clock shows the real time: then the database's clock decides. */
  private Optional<Instant> moved() {
    return clock.ahead().isZero() ? Optional.empty() : Optional.of(clock.instant());
  }

  /** Moves the clock, and what rate limits and idempotency keys remember along with it. */
  public synchronized void setAhead(Duration ahead) throws SQLException {
    // a clock that is set back gives back nothing, and takes nothing
    long seconds = Math.max(0, ahead.minus(clock.ahead()).toSeconds());
    cells.each(
        database ->
            database.write(
                connection ->
                    MOVE_CALLS.on(connection).set("seconds", seconds).update()
                        + MOVE_REPLIES.on(connection).set("seconds", seconds).update()));
    clock.setAhead(ahead);
  }

  /** Forgets what a merchant has used of its limits, and the calls that it may repeat. */
  public void reset(int merchantId) throws SQLException {
    cells
        .of(merchantId)
        .write(connection -> RESET.on(connection).set("merchantId", merchantId).update());
  }
}
