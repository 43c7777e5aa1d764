package io.stockroom.core.stock;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Records stock changes in the statement that makes them, and deletes old records. */
public final class StockChanges {
  /** How stock was changed. */
  public enum ChangeSource {
    /** A person, in the console. */
    PAGE("page"),
    /** An application, through the interface. */
    CALL("call"),
    /** A file import. */
    IMPORT("import");

    private final String word;

    ChangeSource(String word) {
      this.word = word;
    }

    /** Its name in the table. */
    public String word() {
      return word;
    }
  }

  /**
   * Who changed stock, and how; part of the history.
   *
   * @param undoes the change whose old values are written back, or null
   */
  public record Origin(Actor actor, ChangeSource through, @Nullable Long undoes) {
    public Origin(Actor actor, ChangeSource through) {
      this(actor, through, null);
    }
  }

  private static final String RECORD =
      """
    insert into stock_change
      (merchant_id, product_id, actor, through, undoes, colors, sizes, quantities_before,
       quantities_after, barcodes_before, barcodes_after)
    select :merchantId, product_id, :actor, :through, :undoes::bigint, array_agg(color_no), array_agg(size),
      array_agg(quantity_before), array_agg(quantity_after),
      case when bool_or(barcode_before is distinct from barcode_after) then
        array_agg(case when barcode_before is distinct from barcode_after then barcode_before end)
      end,
      case when bool_or(barcode_before is distinct from barcode_after) then
        array_agg(case when barcode_before is distinct from barcode_after then barcode_after end)
      end
    from changed group by product_id
    """;

  /** Small, so that no other statement has to wait for the cleanup. */
  private static final int MAX_DELETED_AT_ONCE = 2000;

  private static final Sql FORGET =
      Sql.of(
          """
          delete from stock_change where (merchant_id, product_id, change_id) in (
            select merchant_id, product_id, change_id from stock_change
            where at < now() - :days * interval '1 day'
            order by at limit :limit
            for update skip locked
          )
          """);

  private final Database database;

  public StockChanges(Database database) {
    this.database = database;
  }

  /**
   * A statement that writes stock entries and records what it changes. Set its parameters {@code
   * :merchantId}, {@code :actor}, {@code :through} and {@code :undoes} with {@link #set}.
   *
   * @param tables {@code with} and a table expression {@code changed} that has one row for each
   *     entry that really changes: {@code product_id, color_no, size, quantity_before,
   *     quantity_after, barcode_before, barcode_after}. The first quantity is null for a new entry.
   */
  public static Sql recording(String tables) {
    return Sql.of(tables + RECORD);
  }

  /** Sets {@code :merchantId} and who makes the change. */
  public static Sql.Call set(Sql.Call call, int merchantId, Origin origin) {
    return call.set("merchantId", merchantId)
        .set("actor", origin.actor().name())
        .set("through", origin.through().word())
        .set("undoes", origin.undoes());
  }

  /** Deletes some of the records that are older than that many days; a later run deletes more. */
  public void forgetOld(int days) throws SQLException {
    database.write(
        connection ->
            FORGET.on(connection).set("days", days).set("limit", MAX_DELETED_AT_ONCE).update());
  }
}
