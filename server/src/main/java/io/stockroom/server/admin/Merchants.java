package io.stockroom.server.admin;

import io.stockroom.server.database.Database;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** The merchants of the marketplace. */
public final class Merchants {
  public record Merchant(
      int merchantId,
      String name,
      String storeUrl,
      String storeName,
      int products,
      int productsWithStock,
      Instant createdAt) {}

  private final Database database;

  public Merchants(Database database) {
    this.database = database;
  }

  public int create(String name, String storeUrl, String storeName) throws SQLException {
    return database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  insert into merchant (name, store_url, store_name) values (?, ?, ?)
                  returning merchant_id
                  """)) {
            statement.setString(1, name);
            statement.setString(2, storeUrl);
            statement.setString(3, storeName);
            try (ResultSet row = statement.executeQuery()) {
              row.next();
              return row.getInt(1);
            }
          }
        });
  }

  public boolean exists(int merchantId) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement("select 1 from merchant where merchant_id = ?")) {
            statement.setInt(1, merchantId);
            try (ResultSet row = statement.executeQuery()) {
              return row.next();
            }
          }
        });
  }

  public List<Merchant> all() throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
                  connection.prepareStatement(
                      """
                      select m.merchant_id, m.name, m.store_url, m.store_name, m.products,
                             m.created_at, coalesce(b.with_stock, 0) as with_stock
                      from merchant m
                      left join (
                        select merchant_id, sum(with_stock) as with_stock
                        from product_block group by merchant_id
                      ) b using (merchant_id)
                      order by m.merchant_id
                      """);
              ResultSet row = statement.executeQuery()) {
            List<Merchant> merchants = new ArrayList<>();
            while (row.next()) {
              merchants.add(
                  new Merchant(
                      row.getInt("merchant_id"),
                      row.getString("name"),
                      row.getString("store_url"),
                      row.getString("store_name"),
                      row.getInt("products"),
                      row.getInt("with_stock"),
                      row.getObject("created_at", OffsetDateTime.class).toInstant()));
            }
            return merchants;
          }
        });
  }
}
