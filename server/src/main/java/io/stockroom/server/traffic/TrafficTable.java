package io.stockroom.server.traffic;

import io.stockroom.server.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** How the table of counts is kept small: minutes become hours, and old hours go. */
final class TrafficTable {
  /** Longer than the plots that show minutes. */
  private static final Duration MINUTES_KEPT = Duration.ofDays(2);

  /** What an insert into {@code traffic as t} does where the row is there already. */
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

  private final Database database;
  private final Clock clock;
  private final int days;
  private Instant thinnedUntil = Instant.MIN;

  TrafficTable(Database database, Clock clock, int days) {
    this.database = database;
    this.clock = clock;
    this.days = days;
  }

  /** Does nothing but once an hour. */
  void tidy() throws SQLException {
    Instant edge = clock.instant().minus(MINUTES_KEPT).truncatedTo(ChronoUnit.HOURS);
    if (!edge.isAfter(thinnedUntil)) {
      return;
    }
    // an hour at a time, so that no statement grows with the time that nobody tidied
    for (int merged = 1; merged > 0; ) {
      merged = database.write(connection -> thin(connection, edge));
    }
    Instant oldest = clock.instant().minus(Duration.ofDays(days));
    database.write(connection -> forget(connection, oldest));
    thinnedUntil = edge;
  }

  /** The first minute of the oldest hour that has others takes them in. */
  private static int thin(Connection connection, Instant edge) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            with oldest as (
              select date_trunc('hour', min(at) at time zone 'UTC') at time zone 'UTC' as hour
              from traffic
              where at < ? and extract(minute from at at time zone 'UTC') <> 0
            ), gone as (
              delete from traffic t using oldest
              where t.at > oldest.hour and t.at < oldest.hour + interval '1 hour'
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
                + ADD)) {
      statement.setObject(1, time(edge));
      return statement.executeUpdate();
    }
  }

  private static int forget(Connection connection, Instant oldest) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("delete from traffic where at < ?")) {
      statement.setObject(1, time(oldest));
      return statement.executeUpdate();
    }
  }

  static OffsetDateTime time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
