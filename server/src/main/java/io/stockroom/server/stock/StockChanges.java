package io.stockroom.server.stock;

import io.stockroom.server.database.Database;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;

/** Records what changes in the stock, in the statement that changes it, and forgets it in time. */
public final class StockChanges {
  /**
   * The end of a statement that writes stock entries. Before it stands a CTE {@code changed} with
   * one row for each entry that really changes: {@code product_id, color_no, size, quantity_before,
   * quantity_after, barcode_before, barcode_after}. The first quantity is null where the entry is
   * new. Its four parameters are set by {@link #set}.
   */
  static final String RECORD = record("?", "?", "?", "?::bigint");

  /**
   * The same for a change that undoes nothing. Its parameters are {@code :merchantId}, {@code
   * :actor} and {@code :through}.
   */
  public static final String RECORD_NEW = record(":merchantId", ":actor", ":through", "null");

  private static String record(String merchantId, String actor, String through, String undoes) {
    return """
    insert into stock_change
      (merchant_id, product_id, actor, through, undoes, colors, sizes, quantities_before,
       quantities_after, barcodes_before, barcodes_after)
    select %s, product_id, %s, %s, %s, array_agg(color_no), array_agg(size),
      array_agg(quantity_before), array_agg(quantity_after),
      case when bool_or(barcode_before is distinct from barcode_after) then
        array_agg(case when barcode_before is distinct from barcode_after then barcode_before end)
      end,
      case when bool_or(barcode_before is distinct from barcode_after) then
        array_agg(case when barcode_before is distinct from barcode_after then barcode_after end)
      end
    from changed group by product_id
    """
        .formatted(merchantId, actor, through, undoes);
  }

  /** So few at a time that no other statement has to wait for the cleaning. */
  private static final int SLICE = 2000;

  private final Database database;

  public StockChanges(Database database) {
    this.database = database;
  }

  /** Sets the parameters of {@link #RECORD}, of which {@code first} is the first. */
  public static void set(PreparedStatement statement, int first, int merchantId, Origin origin)
      throws SQLException {
    statement.setInt(first, merchantId);
    statement.setString(first + 1, origin.actor().name());
    statement.setString(first + 2, origin.through().word());
    if (origin.undoes() == null) {
      statement.setNull(first + 3, Types.BIGINT);
    } else {
      statement.setLong(first + 3, origin.undoes());
    }
  }

  /** Deletes a slice of what is older than that many days; the rest waits for the next time. */
  public void forgetOld(int days) throws SQLException {
    database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  delete from stock_change where (merchant_id, product_id, change_id) in (
                    select merchant_id, product_id, change_id from stock_change
                    where at < now() - ? * interval '1 day'
                    order by at limit ?
                    for update skip locked
                  )
                  """)) {
            statement.setInt(1, days);
            statement.setInt(2, SLICE);
            return statement.executeUpdate();
          }
        });
  }
}
