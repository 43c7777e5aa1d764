package io.stockroom.core.access;

import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Applications with the totals of their tokens. */
public final class ApplicationOverview {
  /**
   * One application.
   *
   * @param previousSecretUntil when the previous secret stops working; null if it does not work now
   * @param isStopped whether an operator disabled it
   * @param tokens how many tokens are active
   * @param merchants how many merchants they are for
   */
  public record Row(
      String appid,
      String name,
      boolean requireHmac,
      @Nullable Instant previousSecretUntil,
      boolean isStopped,
      int tokens,
      int merchants,
      @Nullable Instant lastUsedAt) {}

  private final Database database;

  public ApplicationOverview(Database database) {
    this.database = database;
  }

  /** Every application. */
  public List<Row> all() throws SQLException {
    return read(null, null);
  }

  /** The applications that have, or had, a token for this merchant, counted for it alone. */
  public List<Row> of(int merchantId) throws SQLException {
    return read(merchantId, null);
  }

  /** One of those; null if the merchant never had a token of it. */
  public @Nullable Row of(int merchantId, String appid) throws SQLException {
    List<Row> rows = read(merchantId, appid);
    return rows.isEmpty() ? null : rows.getFirst();
  }

  private static final Sql ROWS =
      Sql.of(
          """
          select a.appid, a.name, a.require_hmac,
                 case when a.previous_until > now() then a.previous_until end as previous_until,
                 a.stopped_at is not null as stopped,
                 count(t.token_id) filter (where t.works) as tokens,
                 count(distinct t.merchant_id) filter (where t.works) as merchants,
                 max(t.last_used_at) as last_used_at
          from application a
          left join (
            select application_id, merchant_id, token_id, last_used_at,
                   revoked_at is null and coalesce(expires_at > now(), true) as works
            from access_token where :merchantId::int is null or merchant_id = :merchantId
          ) t using (application_id)
          where (:merchantId::int is null or t.merchant_id is not null)
            and (:appid::text is null or a.appid = :appid)
          group by a.application_id
          order by a.application_id
          """);

  private List<Row> read(@Nullable Integer merchantId, @Nullable String appid) throws SQLException {
    return database.read(
        connection ->
            ROWS.on(connection)
                .set("merchantId", merchantId)
                .set("appid", appid)
                .list(
                    row ->
                        new Row(
                            row.getString("appid"),
                            row.getString("name"),
                            row.getBoolean("require_hmac"),
                            Sql.instantOrNull(row, "previous_until"),
                            row.getBoolean("stopped"),
                            row.getInt("tokens"),
                            row.getInt("merchants"),
                            Sql.instantOrNull(row, "last_used_at"))));
  }
}
