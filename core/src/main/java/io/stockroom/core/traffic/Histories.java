package io.stockroom.core.traffic;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the call counts of one merchant or of the whole server. */
public final class Histories {
  /** The merchant id under which all calls of the server are counted. */
  public static final int SERVER = 0;

  private static final int MAX_CAUSES = 12;

  private static final Sql READ =
      Sql.of(
          """
          with wanted as materialized (
            select width_bucket(extract(epoch from at), :from, :to, :points) - 1 as point,
              endpoint, status, code, calls, unlogged, buckets
            from traffic where merchant_id = :merchantId and at >= :begin
          )
          select point, endpoint, status, code, sum(calls) as calls, sum(unlogged) as unlogged,
            -1 as bucket
          from wanted group by point, endpoint, status, code
          union all
          select point, endpoint, 0, '', sum(b.calls), 0, b.n - 1
          from wanted cross join unnest(buckets) with ordinality as b (calls, n)
          where b.calls > 0
          group by point, endpoint, b.n
          """);

  private record Outcome(String code, int status) {}

  private static final class Sum {
    private long succeeded;
    private long rejected;
    private long failed;
    private long unlogged;
    private final Latency latency = new Latency();

    private void add(int status, String code, long calls, long skipped) {
      if (status >= 500) {
        failed += calls;
      } else if (!code.isEmpty() || status >= 400) {
        rejected += calls;
      } else {
        succeeded += calls;
      }
      unlogged += skipped;
    }

    private History.Point point(Instant at) {
      return new History.Point(at, succeeded, rejected, failed, unlogged, latency);
    }
  }

  private final Cells cells;
  private final Clock clock;

  public Histories(Cells cells, Clock clock) {
    this.cells = cells;
    this.clock = clock;
  }

  public History read(int merchantId, Period period) throws SQLException {
    long step = period.step().toSeconds();
    long last = Math.floorDiv(clock.instant().getEpochSecond(), step) * step;
    Instant begin = Instant.ofEpochSecond(last - (period.points() - 1) * step);
    return cells.of(merchantId).read(connection -> read(connection, merchantId, period, begin));
  }

  private static History read(Connection connection, int merchantId, Period period, Instant begin)
      throws SQLException {
    List<Sum> points = new ArrayList<>();
    for (int i = 0; i < period.points(); i++) {
      points.add(new Sum());
    }
    Map<String, Sum> endpoints = new HashMap<>();
    Map<Outcome, Long> causes = new HashMap<>();
    Sum total = new Sum();
    long from = begin.getEpochSecond();
    READ.on(connection)
        .set("from", from)
        .set("to", from + period.points() * period.step().toSeconds())
        .set("points", period.points())
        .set("merchantId", merchantId)
        .set("begin", begin)
        .forEach(
            row -> {
              int number = Math.clamp(row.getInt("point"), 0, points.size() - 1);
              Sum endpoint = endpoints.computeIfAbsent(row.getString("endpoint"), _ -> new Sum());
              for (Sum sum : List.of(points.get(number), endpoint, total)) {
                add(sum, row);
              }
              String code = row.getString("code");
              if (!code.isEmpty()) {
                causes.merge(
                    new Outcome(code, row.getInt("status")), row.getLong("calls"), Long::sum);
              }
            });
    return history(period, begin, points, endpoints, causes, total);
  }

  /** A row either counts outcomes or one bucket of their latency. */
  private static void add(Sum sum, ResultSet row) throws SQLException {
    int bucket = row.getInt("bucket");
    long calls = row.getLong("calls");
    if (bucket < 0) {
      sum.add(row.getInt("status"), row.getString("code"), calls, row.getLong("unlogged"));
    } else {
      sum.latency.add(Math.min(bucket, Latency.BUCKETS - 1), calls);
    }
  }

  private static History history(
      Period period,
      Instant begin,
      List<Sum> points,
      Map<String, Sum> endpoints,
      Map<Outcome, Long> causes,
      Sum total) {
    List<History.Point> line = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      line.add(points.get(i).point(begin.plus(period.step().multipliedBy(i))));
    }
    return new History(
        period,
        begin,
        line,
        endpoints.entrySet().stream()
            .map(entry -> new History.Endpoint(entry.getKey(), entry.getValue().point(begin)))
            .sorted(
                Comparator.comparingLong((History.Endpoint endpoint) -> endpoint.total().calls())
                    .reversed()
                    .thenComparing(History.Endpoint::path))
            .toList(),
        causes.entrySet().stream()
            .map(
                entry ->
                    new History.Cause(entry.getKey().code, entry.getKey().status, entry.getValue()))
            .sorted(
                Comparator.comparingLong(History.Cause::calls)
                    .reversed()
                    .thenComparing(History.Cause::code))
            .limit(MAX_CAUSES)
            .toList(),
        total.point(begin));
  }
}
