package io.stockroom.server.admin;

import io.stockroom.server.audit.Actor;
import io.stockroom.server.audit.Audit;
import io.stockroom.server.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The merchants of the marketplace, and what the operator set for each of them. */
public final class Merchants {
  /** What the trail says where a limit was not set for the merchant. */
  private static final String BY_SETTING = "as the setting says";

  private static final String SELECT =
      """
      select m.merchant_id, m.name, m.store_url, m.store_name, m.products, m.created_at,
             coalesce(b.with_stock, 0) as with_stock, l.names, l.texts
      from merchant m
      left join (
        select merchant_id, sum(with_stock) as with_stock
        from product_block where level = 1 group by merchant_id
      ) b using (merchant_id)
      cross join lateral (
        select array_agg(key) as names, array_agg(value) as texts from jsonb_each_text(m.limits)
      ) l
      """;

  /**
   * One merchant.
   *
   * @param limits what the operator set for this merchant instead of the settings
   */
  public record Merchant(
      int merchantId,
      String name,
      String storeUrl,
      String storeName,
      int products,
      int productsWithStock,
      Instant createdAt,
      Map<String, String> limits) {}

  public static final int NAME_CHARACTERS = 100;

  private final Database database;
  private final Audit audit;

  public Merchants(Database database, Audit audit) {
    this.database = database;
    this.audit = audit;
  }

  public int create(String name, String storeUrl, String storeName, Actor actor)
      throws SQLException {
    return database.write(
        connection -> {
          int merchantId;
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  with created as (
                    insert into merchant (name, store_url, store_name) values (?, ?, ?)
                    returning merchant_id
                  )
                  insert into detail_usage (merchant_id, day, used)
                  select merchant_id, '-infinity', 0 from created
                  returning merchant_id
                  """)) {
            statement.setString(1, name);
            statement.setString(2, storeUrl);
            statement.setString(3, storeName);
            try (ResultSet row = statement.executeQuery()) {
              row.next();
              merchantId = row.getInt(1);
            }
          }
          audit.add(connection, merchantId, actor, "merchant.create", storeUrl, name);
          return merchantId;
        });
  }

  public @Nullable Merchant find(int merchantId) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(SELECT + "where m.merchant_id = ?")) {
            statement.setInt(1, merchantId);
            List<Merchant> found = read(statement);
            return found.isEmpty() ? null : found.getFirst();
          }
        });
  }

  public List<Merchant> all() throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(SELECT + "order by m.merchant_id")) {
            return read(statement);
          }
        });
  }

  /** Sets limits of a merchant; a null takes what was set away again. */
  public void change(int merchantId, Map<String, @Nullable String> limits, Actor actor)
      throws SQLException {
    database.write(
        connection -> {
          Map<String, String> former = held(connection, merchantId);
          List<String> details = new ArrayList<>();
          for (Map.Entry<String, @Nullable String> limit : limits.entrySet()) {
            change(connection, merchantId, limit.getKey(), limit.getValue());
            details.add(
                "%s: %s → %s"
                    .formatted(
                        limit.getKey(),
                        former.getOrDefault(limit.getKey(), BY_SETTING),
                        Objects.requireNonNullElse(limit.getValue(), BY_SETTING)));
          }
          audit.add(
              connection,
              merchantId,
              actor,
              "merchant.limits",
              "limits",
              String.join(", ", details));
          return merchantId;
        });
  }

  /** The limits as they are until the caller's transaction ends. */
  private static Map<String, String> held(Connection connection, int merchantId)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            with held as (select limits from merchant where merchant_id = ? for update)
            select array_agg(key) as names, array_agg(value) as texts
            from held cross join lateral jsonb_each_text(limits)
            """)) {
      statement.setInt(1, merchantId);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return limits(row);
      }
    }
  }

  private static void change(
      Connection connection, int merchantId, String name, @Nullable String value)
      throws SQLException {
    String sql =
        value == null
            ? "update merchant set limits = limits - ? where merchant_id = ?"
            : """
              update merchant set limits = limits || jsonb_build_object(?::text, ?::text)
              where merchant_id = ?
              """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int next = 1;
      statement.setString(next++, name);
      if (value != null) {
        statement.setString(next++, value);
      }
      statement.setInt(next, merchantId);
      statement.executeUpdate();
    }
  }

  private static List<Merchant> read(PreparedStatement statement) throws SQLException {
    List<Merchant> merchants = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        merchants.add(
            new Merchant(
                row.getInt("merchant_id"),
                row.getString("name"),
                row.getString("store_url"),
                row.getString("store_name"),
                row.getInt("products"),
                row.getInt("with_stock"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                limits(row)));
      }
    }
    return merchants;
  }

  private static Map<String, String> limits(ResultSet row) throws SQLException {
    Map<String, String> limits = new TreeMap<>();
    if (row.getArray("names") != null) {
      String[] names = (String[]) row.getArray("names").getArray();
      String[] texts = (String[]) row.getArray("texts").getArray();
      for (int i = 0; i < names.length; i++) {
        limits.put(names[i], texts[i]);
      }
    }
    return limits;
  }
}
