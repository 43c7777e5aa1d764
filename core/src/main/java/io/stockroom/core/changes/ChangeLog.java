package io.stockroom.core.changes;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.AtCommit;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends changes of products and stock to a merchant's log, with the entry of the audit log that
 * they belong to. It locks the merchant's {@code log_head} until the transaction ends, so it must
 * be the last lock that a transaction takes.
 */
public final class ChangeLog {
  /** Where a change came from. */
  public enum ChangeSource {
    /** An application, through the interface. */
    INTERFACE("interface"),
    /** A person, in the console. */
    CONSOLE("console"),
    /** A file import. */
    IMPORT("import"),
    /** An undo of an earlier change. */
    UNDO("undo");

    private final String word;

    ChangeSource(String word) {
      this.word = word;
    }

    /** Its name in the table and in the feed. */
    public String word() {
      return word;
    }
  }

  /**
   * Who changes what; becomes the entry of the audit log.
   *
   * @param undoes the number of the change whose old values are written back, or null
   */
  public record Origin(
      Actor actor,
      ChangeSource source,
      String action,
      String subject,
      String details,
      @Nullable Long undoes) {
    public Origin(Actor actor, ChangeSource source, String action, String subject, String details) {
      this(actor, source, action, subject, details, null);
    }
  }

  /** The fields of a product, as the change of a new one lists them. */
  public static final List<String> PRODUCT_FIELDS =
      List.of(
          "title",
          "description",
          "price",
          "categoryIdTree",
          "categoryNameTree",
          "imgs",
          "video",
          "attributes",
          "colorImage");

  /**
   * One change: of a product (created, fields) or of its stock (the rest). If {@code undoes} is
   * null, the origin's counts.
   */
  public static final String COLUMNS =
      """
      product_id int, kind text, created boolean, fields text[], colors smallint[],
      sizes text[], quantities_before int[], quantities_after int[], barcodes_before text[],
      barcodes_after text[], undoes bigint
      """;

  /** The columns of stock, in a change of a product. */
  public static final String NO_STOCK =
      """
      null::smallint[] as colors, null::text[] as sizes, null::int[] as quantities_before,
      null::int[] as quantities_after, null::text[] as barcodes_before,
      null::text[] as barcodes_after, null::bigint as undoes
      """;

  private static final String GROUP =
      """
      , grouped as (
        select product_id, 'stock' as kind, null::boolean as created, null::text[] as fields,
          array_agg(color_no) as colors, array_agg(size) as sizes,
          array_agg(quantity_before) as quantities_before,
          array_agg(quantity_after) as quantities_after,
          case when bool_or(barcode_before is distinct from barcode_after) then array_agg(
            case when barcode_before is distinct from barcode_after then barcode_before end)
          end as barcodes_before,
          case when bool_or(barcode_before is distinct from barcode_after) then array_agg(
            case when barcode_before is distinct from barcode_after then barcode_after end)
          end as barcodes_after, null::bigint as undoes
        from changed group by product_id
      )
      """;

  private static final String APPEND =
      ", counted as (select count(*) as changes from grouped), "
          + Audit.APPEND
          + """
          , recorded as (
            insert into change_log
              (merchant_id, number, at, batch, source, product_id, kind, undoes, created, fields,
               colors, sizes, quantities_before, quantities_after, barcodes_before, barcodes_after)
            select e.merchant_id,
              e.first_change - 1 + row_number() over (order by g.product_id, g.kind), e.at,
              e.number, :source::text, g.product_id, g.kind, coalesce(g.undoes, :undoes::bigint), g.created, g.fields,
              g.colors, g.sizes, g.quantities_before, g.quantities_after, g.barcodes_before,
              g.barcodes_after
            from entry e cross join grouped g
          )
          select number, last_change from entry
          """;

  /** Small, so that no other statement has to wait for the cleanup. */
  private static final int MAX_DELETED_AT_ONCE = 2000;

  /** The oldest first, so that what remains of a merchant's log has no gap. */
  private static final Sql DELETE_OLD =
      Sql.of(
          """
          delete from change_log where (merchant_id, number) in (
            select merchant_id, number from change_log
            where at < now() - :days * interval '1 day'
            order by at, number limit :limit
          )
          """);

  private final Cells cells;

  public ChangeLog(Cells cells) {
    this.cells = cells;
  }

  /**
   * A statement that changes stock entries and records it. Run it with {@link #record}.
   *
   * @param tables {@code with} and a table expression {@code changed} that has one row for each
   *     entry that really changes: {@code product_id, color_no, size, quantity_before,
   *     quantity_after, barcode_before, barcode_after}. The first quantity is null for a new entry.
   */
  public static Sql recordingStock(String tables) {
    return Sql.of(tables + GROUP + APPEND);
  }

  /**
   * A statement that changes stock entries and collects the changes in a table, for a long
   * transaction that records all of them at its end.
   *
   * @param tables as for {@link #recordingStock}
   * @param table has the {@link #COLUMNS}
   */
  public static Sql collectingStock(String tables, String table) {
    return Sql.of(tables + GROUP + "insert into " + table + " select * from grouped");
  }

  /**
   * A statement that records changes. Run it with {@link #record}.
   *
   * @param tables {@code with} and a table expression {@code grouped} that has one row for each
   *     change, with the {@link #COLUMNS}
   */
  public static Sql recording(String tables) {
    return Sql.of(tables + APPEND);
  }

  /**
   * Sets the parameters that every recording statement has, and runs it.
   *
   * @return the number of the last change; null if nothing changed
   */
  public static @Nullable Long record(Sql.Call call, int merchantId, Origin origin)
      throws SQLException {
    Recorded recorded = run(call, merchantId, origin);
    return recorded.lastChange;
  }

  /**
   * Like {@link #record}, for a job that may be undone as a whole.
   *
   * @return the batch: the number of the audit entry; null if nothing changed
   */
  public static @Nullable Long recordBatch(Sql.Call call, int merchantId, Origin origin)
      throws SQLException {
    Recorded recorded = run(call, merchantId, origin);
    return recorded.lastChange == null ? null : recorded.batch;
  }

  private record Recorded(long batch, @Nullable Long lastChange) {}

  private static Recorded run(Sql.Call call, int merchantId, Origin origin) throws SQLException {
    Recorded recorded =
        call.set("merchantId", merchantId)
            .set("actor", origin.actor().name())
            .set("address", origin.actor().address())
            .set("action", origin.action())
            .set("subject", origin.subject())
            .set("details", origin.details())
            .set("source", origin.source().word())
            .set("undoes", origin.undoes())
            .one(
                row ->
                    new Recorded(row.getLong("number"), row.getObject("last_change", Long.class)));
    if (recorded.lastChange != null) {
      AtCommit.announce(call.connection(), merchantId);
    }
    return recorded;
  }

  /** Deletes some of the changes that are older than that many days; a later run deletes more. */
  public void deleteOld(int days) throws SQLException {
    cells.each(
        database ->
            database.write(
                connection ->
                    DELETE_OLD
                        .on(connection)
                        .set("days", days)
                        .set("limit", MAX_DELETED_AT_ONCE)
                        .update()));
  }
}
