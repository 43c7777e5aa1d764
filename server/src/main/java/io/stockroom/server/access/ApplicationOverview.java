package io.stockroom.server.access;

import io.stockroom.server.database.Database;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The applications at a glance, with what their tokens add up to. */
public final class ApplicationOverview {
  /**
   * One application.
   *
   * @param previousSecretUntil until when a former secret works beside the present one
   * @param isStopped whether an operator stopped it
   * @param tokens how many tokens work now
   * @param merchants for how many merchants they work
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

  /** One of those; null where the merchant has nothing to do with it. */
  public @Nullable Row of(int merchantId, String appid) throws SQLException {
    List<Row> rows = read(merchantId, appid);
    return rows.isEmpty() ? null : rows.getFirst();
  }

  private List<Row> read(@Nullable Integer merchantId, @Nullable String appid) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  select a.appid, a.name, a.require_hmac,
                         case when a.previous_until > now() then a.previous_until end
                           as previous_until,
                         a.stopped_at is not null as stopped,
                         count(t.token_id) filter (where t.works) as tokens,
                         count(distinct t.merchant_id) filter (where t.works) as merchants,
                         max(t.last_used_at) as last_used_at
                  from application a
                  left join (
                    select application_id, merchant_id, token_id, last_used_at,
                           revoked_at is null and coalesce(expires_at > now(), true) as works
                    from access_token where ?::int is null or merchant_id = ?
                  ) t using (application_id)
                  where (?::int is null or t.merchant_id is not null)
                    and (?::text is null or a.appid = ?)
                  group by a.application_id
                  order by a.application_id
                  """)) {
            statement.setObject(1, merchantId);
            statement.setObject(2, merchantId);
            statement.setObject(3, merchantId);
            statement.setString(4, appid);
            statement.setString(5, appid);
            List<Row> rows = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                rows.add(
                    new Row(
                        row.getString("appid"),
                        row.getString("name"),
                        row.getBoolean("require_hmac"),
                        Credentials.instant(row, "previous_until"),
                        row.getBoolean("stopped"),
                        row.getInt("tokens"),
                        row.getInt("merchants"),
                        Credentials.instant(row, "last_used_at")));
              }
            }
            return rows;
          }
        });
  }
}
