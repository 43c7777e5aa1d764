package io.stockroom.core.traffic;

import io.stockroom.core.database.AbsentMerchants;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Keeps the table of counts small: merges minutes into hours and deletes old hours. */
final class TrafficTable {
  /** Longer than the longest plot that shows minutes. */
  private static final Duration MINUTES_KEPT = Duration.ofDays(2);

  /** The conflict clause of an insert into {@code traffic as t}. */
  static final String ADD =
      """
      on conflict (merchant_id, at, application_id, endpoint, status, code) do update
      set calls = t.calls + excluded.calls,
          unlogged = t.unlogged + excluded.unlogged,
          micros = t.micros + excluded.micros,
          longest_micros = greatest(t.longest_micros, excluded.longest_micros),
          buckets = array(
            select coalesce(b.mine, 0) + coalesce(b.theirs, 0)
            from unnest(t.buckets, excluded.buckets) with ordinality as b (mine, theirs, n)
            order by b.n)
      """;

  private static final Sql THIN =
      Sql.of(
          """
          with oldest as (
            select date_trunc('hour', min(at) at time zone 'UTC') at time zone 'UTC' as hour
            from traffic
            where at < :edge and extract(minute from at at time zone 'UTC') <> 0
              and merchant_id <> all (%1$s)
          ), gone as (
            delete from traffic t using oldest
            where t.at > oldest.hour and t.at < oldest.hour + interval '1 hour'
              and t.merchant_id <> all (%1$s)
            returning t.*, oldest.hour
          ), sums as (
            select merchant_id, hour, application_id, endpoint, status, code,
              sum(calls)::bigint as calls, sum(unlogged)::bigint as unlogged,
              sum(micros)::bigint as micros, max(longest_micros) as longest_micros
            from gone
            group by merchant_id, hour, application_id, endpoint, status, code
          ), bucket as (
            select merchant_id, application_id, endpoint, status, code, b.n,
              sum(b.calls)::bigint as calls
            from gone cross join unnest(buckets) with ordinality as b (calls, n)
            group by merchant_id, application_id, endpoint, status, code, b.n
          ), histogram as (
            select merchant_id, application_id, endpoint, status, code,
              array_agg(calls order by n) as buckets
            from bucket group by merchant_id, application_id, endpoint, status, code
          )
          insert into traffic as t
            (merchant_id, at, application_id, endpoint, status, code,
             calls, unlogged, micros, longest_micros, buckets)
          select merchant_id, hour, application_id, endpoint, status, code,
            calls, unlogged, micros, longest_micros, buckets
          from sums join histogram using (merchant_id, application_id, endpoint, status, code)
          order by merchant_id, hour, application_id, endpoint, status, code
          """
                  .formatted(AbsentMerchants.ARRAY)
              + ADD);

  private static final Sql FORGET = Sql.of("delete from traffic where at < :oldest");

  private final Cells cells;
  private final Clock clock;
  private final int days;
  private Instant thinnedUntil = Instant.MIN;

  TrafficTable(Cells cells, Clock clock, int days) {
    this.cells = cells;
    this.clock = clock;
    this.days = days;
  }

  /** Does its work at most once an hour. */
  void tidy() throws SQLException {
    Instant edge = clock.instant().minus(MINUTES_KEPT).truncatedTo(ChronoUnit.HOURS);
    if (!edge.isAfter(thinnedUntil)) {
      return;
    }
    Instant oldest = clock.instant().minus(Duration.ofDays(days));
    cells.each(
        database -> {
          // one hour per statement, so that a long pause does not cause a huge one
          for (int merged = 1; merged > 0; ) {
            merged = database.write(connection -> thin(connection, edge));
          }
          database.write(connection -> forget(connection, oldest));
        });
    thinnedUntil = edge;
  }

  /** Merges the minutes of the oldest hour into its first minute. */
  private static int thin(Connection connection, Instant edge) throws SQLException {
    return THIN.on(connection).set("edge", edge).update();
  }

  private static int forget(Connection connection, Instant oldest) throws SQLException {
    return FORGET.on(connection).set("oldest", oldest).update();
  }
}
