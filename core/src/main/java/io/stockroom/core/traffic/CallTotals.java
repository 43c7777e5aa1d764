package io.stockroom.core.traffic;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** The calls of one merchant, today and this month. */
public final class CallTotals {
  private static final int MAX_CAUSES = 5;

  /** A response with an error code is a rejection even if its status is 200. */
  private static final Sql SUMS =
      Sql.of(
          """
          select period, coalesce(sum(calls), 0) as calls,
            coalesce(sum(calls) filter (where status < 500 and (code <> '' or status >= 400)), 0)
              as rejected,
            coalesce(sum(calls) filter (where status >= 500), 0) as failed
          from unnest(:begins::timestamptz[]) with ordinality as p (since, period)
          left join traffic t on t.merchant_id = :merchantId and t.at >= p.since
          group by period order by period
          """);

  private static final Sql CAUSES =
      Sql.of(
          """
          select code, sum(calls) as calls from traffic
          where merchant_id = :merchantId and at >= :begin and code <> ''
          group by code order by calls desc, code limit :limit
          """);

  public record Total(long calls, long rejected, long failed) {}

  /** An error code and how many calls got it. */
  public record Cause(String code, long calls) {}

  /**
   * The calls of both periods.
   *
   * @param causes the most frequent error codes of the month
   */
  public record Totals(Total today, Total month, List<Cause> causes) {}

  private final Cells cells;

  public CallTotals(Cells cells) {
    this.cells = cells;
  }

  public Totals of(int merchantId, Instant today, Instant month) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection -> {
              List<Total> sums =
                  SUMS.on(connection)
                      .set("begins", new String[] {today.toString(), month.toString()})
                      .set("merchantId", merchantId)
                      .list(
                          row ->
                              new Total(
                                  row.getLong("calls"),
                                  row.getLong("rejected"),
                                  row.getLong("failed")));
              List<Cause> causes =
                  CAUSES
                      .on(connection)
                      .set("merchantId", merchantId)
                      .set("begin", month)
                      .set("limit", MAX_CAUSES)
                      .list(row -> new Cause(row.getString("code"), row.getLong("calls")));
              return new Totals(sums.getFirst(), sums.getLast(), causes);
            });
  }
}
