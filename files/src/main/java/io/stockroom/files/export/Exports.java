package io.stockroom.files.export;

import io.stockroom.core.call.Rejection;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.TableCopy;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a consistent snapshot of a merchant's catalog. Two connections share the snapshot: one
 * streams the products, the other the stock entries, both ordered by product. Memory stays bounded.
 */
public final class Exports {
  private static final int RETRY_SECONDS = 10;

  private final Cells cells;
  private final int atOnce;
  private final int ofOneMerchant;
  private final Semaphore free;
  private final Map<Integer, Integer> running = new ConcurrentHashMap<>();

  /**
   * Limits exports, because each one holds two connections until the client has read it.
   *
   * @param poolSize the number of connections; exports use at most half of them, and one merchant
   *     at most half of the exports
   */
  public Exports(Cells cells, int poolSize) {
    this.cells = cells;
    this.atOnce = Math.max(1, poolSize / 4);
    this.ofOneMerchant = Math.max(1, atOnce / 2);
    this.free = new Semaphore(atOnce);
  }

  /**
   * Writes the whole file.
   *
   * @param language the language of the header of a table
   * @return the rejection, if nothing was written; otherwise null
   */
  public @Nullable Rejection write(
      int merchantId, ExportFormat format, Language language, OutputStream to)
      throws SQLException, IOException {
    return write(merchantId, format, language, null, to);
  }

  /**
   * Writes a file of some products.
   *
   * @param productIds the products; null for all
   * @return the rejection, if nothing was written; otherwise null
   */
  public @Nullable Rejection write(
      int merchantId,
      ExportFormat format,
      Language language,
      @Nullable List<Integer> productIds,
      OutputStream to)
      throws SQLException, IOException {
    String only = productIds == null ? "" : only(productIds);
    if (!free.tryAcquire()) {
      return later(Rejection.of("", ErrorCode.EXPORTS_BUSY, atOnce, RETRY_SECONDS));
    }
    boolean share = running.merge(merchantId, 1, Integer::sum) <= ofOneMerchant;
    try {
      if (!share) {
        return later(
            Rejection.of(
                "", ErrorCode.EXPORTS_OF_MERCHANT, ofOneMerchant, merchantId, RETRY_SECONDS));
      }
      Database database = cells.current(merchantId);
      return database.writeOnce(
          products -> {
            String snapshot = begin(products);
            return database.writeOnce(
                entries -> {
                  join(entries, snapshot);
                  try {
                    return write(products, entries, merchantId, only, format, language, to);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      var _ = running.computeIfPresent(merchantId, (_, count) -> count == 1 ? null : count - 1);
      free.release();
    }
  }

  private static Rejection later(Rejection refused) {
    return refused.with("Retry-After", Integer.toString(RETRY_SECONDS));
  }

  private static @Nullable Rejection write(
      Connection products,
      Connection entries,
      int merchantId,
      String only,
      ExportFormat format,
      Language language,
      OutputStream to)
      throws SQLException, IOException {
    Rejection tooLong = format == ExportFormat.XLSX ? CellLength.check(products, merchantId) : null;
    if (tooLong != null) {
      return tooLong;
    }
    try (TableCopy.RowStream productStream =
            TableCopy.rows(products, productRows(merchantId, only));
        TableCopy.RowStream entryStream = TableCopy.rows(entries, entryRows(merchantId, only))) {
      new CatalogueReader(productStream, entryStream, format.to(to, language)).run();
    }
    return null;
  }

  /** A condition on the product id; the numbers need no quoting. */
  private static String only(List<Integer> productIds) {
    String ids = productIds.stream().map(String::valueOf).collect(Collectors.joining(","));
    return "and product_id = any ('{%s}'::int[])".formatted(ids);
  }

  private static String productRows(int merchantId, String only) {
    return """
        copy (
          select %s
          from product p join product_detail d using (merchant_id, product_id)
          where p.merchant_id = %d %s
          order by p.product_id
        ) to stdout (format binary)
        """
        .formatted(ExportedProduct.COLUMNS, merchantId, only);
  }

  private static String entryRows(int merchantId, String only) {
    return """
        copy (
          select e.product_id, e.color_no, e.size_text, e.quantity, e.barcode, c.color
          from stock_entry e join stock_color c using (merchant_id, product_id, color_no)
          where e.merchant_id = %d %s
          order by e.product_id, e.color_no, e.size
        ) to stdout (format binary)
        """
        .formatted(merchantId, only);
  }

  private static String begin(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set transaction isolation level repeatable read, read only");
      prepare(statement);
      try (ResultSet row = statement.executeQuery("select pg_export_snapshot()")) {
        row.next();
        return row.getString(1);
      }
    }
  }

  private static void join(Connection connection, String snapshot) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set transaction isolation level repeatable read, read only");
      statement.execute("set transaction snapshot '" + snapshot + "'");
      prepare(statement);
    }
  }

  /**
   * No timeout: the statement lasts until the client has read everything. No sort or hash join: the
   * primary keys give the rows in order, so the first one can be sent at once.
   */
  private static void prepare(Statement statement) throws SQLException {
    statement.execute("set local statement_timeout = 0");
    statement.execute("set local enable_sort = off");
    statement.execute("set local enable_hashjoin = off");
  }
}
