package io.stockroom.core.stock;

import io.stockroom.core.audit.ActorName;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Size;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads what was changed in the stock of a product, newest first. */
public final class StockHistory {
  public static final int PAGE = 20;

  /** How many batches of a product are searched for the history of one entry. */
  private static final int MAX_BATCHES = 2000;

  private static final int MAX_OF_ENTRY = 50;

  private static final String CHANGES =
      """
      select c.number, c.at, a.actor, a.address, c.source, c.undoes, i.import_id, i.kind, i.name,
        c.colors, c.sizes, c.quantities_before, c.quantities_after, c.barcodes_before,
        c.barcodes_after
      from change_log c
      join audit a on a.merchant_id = c.merchant_id and a.number = c.batch
      left join import i on i.merchant_id = c.merchant_id and i.batch = c.batch
      where c.merchant_id = :merchantId and c.product_id = :productId and c.kind = 'stock'
      """;

  /**
   * One change of a product's stock.
   *
   * @param address where the request came from
   * @param source {@code interface}, {@code console}, {@code import} or {@code undo}
   * @param undoes the change that this one undid; null if it undid none
   * @param job the job that changed other products as well; null if there was none
   */
  public record Batch(
      long id,
      Instant at,
      String actor,
      String address,
      String source,
      @Nullable Long undoes,
      @Nullable Job job,
      List<Line> lines) {
    public ActorName who() {
      return ActorName.of(actor);
    }
  }

  /**
   * An import, a bulk edit or the undo of one.
   *
   * @param kind {@code import}, {@code edit} or {@code undo}
   */
  public record Job(int importId, String kind, String name) {}

  /**
   * One entry of a batch.
   *
   * @param before null if the entry was new
   * @param after null if the entry was removed
   * @param barcodeBefore null for none; the same as after if the barcode did not change
   */
  public record Line(
      String color,
      Size size,
      @Nullable Integer before,
      @Nullable Integer after,
      @Nullable String barcodeBefore,
      @Nullable String barcodeAfter) {
    public boolean isQuantity() {
      return !Objects.equals(before, after);
    }

    public boolean isBarcode() {
      return !Objects.equals(barcodeBefore, barcodeAfter);
    }

    /**
     * What undoes it. An entry that was new gets the quantity 0: others may know it by now.
     *
     * @param undo whether this was an undo, which brought back what was removed: then it is removed
     *     again
     */
    CellChange back(boolean undo) {
      Integer old = before == null && !undo ? Integer.valueOf(0) : before;
      return new CellChange(
          color,
          size,
          isQuantity() ? new CellChange.Quantity(after, old) : null,
          isBarcode() ? new CellChange.BarCode(barcodeAfter, barcodeBefore) : null);
    }
  }

  private final Cells cells;

  public StockHistory(Cells cells) {
    this.cells = cells;
  }

  private static final Sql BATCHES =
      Sql.of(
          CHANGES
              + """
                and (:before = 0 or c.number < :before) order by c.number desc limit :limit
                """);

  /**
   * Up to {@link #PAGE} batches, and one more if there is one.
   *
   * @param before the batch before which to begin; 0: the newest
   */
  public List<Batch> batches(int merchantId, int productId, long before) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection -> {
              Names names = names(connection, merchantId, productId);
              return BATCHES
                  .on(connection)
                  .set("merchantId", merchantId)
                  .set("productId", productId)
                  .set("before", before)
                  .set("limit", PAGE + 1)
                  .list(row -> read(row, names));
            });
  }

  private static final Sql OF_ENTRY =
      Sql.of(
          "select * from ("
              + CHANGES
              + """
                  order by c.number desc limit :searched
                ) c
                where exists (
                  select 1 from unnest(c.colors, c.sizes) e (color_no, size)
                  where e.color_no = :colorNo and e.size = :size
                )
                order by number desc limit :limit
                """);

  /** The batches that changed one entry, each with just the line of this entry. */
  public List<Batch> entry(int merchantId, int productId, String color, Size size)
      throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection -> {
              Names names = names(connection, merchantId, productId);
              return OF_ENTRY
                  .on(connection)
                  .set("merchantId", merchantId)
                  .set("productId", productId)
                  .set("searched", MAX_BATCHES)
                  .set("colorNo", names.colors.indexOf(color))
                  .set("size", size.rank())
                  .set("limit", MAX_OF_ENTRY)
                  .list(row -> only(read(row, names), color, size));
            });
  }

  private static final Sql NEWEST =
      Sql.of(
          """
          select number from change_log
          where merchant_id = :merchantId and product_id = :productId
          order by number desc limit 1
          """);

  /** The number of the newest change of a product; 0 if there is none. */
  public long newest(int merchantId, int productId) throws SQLException {
    Long number =
        cells
            .of(merchantId)
            .read(
                connection ->
                    NEWEST
                        .on(connection)
                        .set("merchantId", merchantId)
                        .set("productId", productId)
                        .<Long>first(row -> row.getLong("number")));
    return number == null ? 0 : number;
  }

  private static final Sql SINCE =
      Sql.of(CHANGES + "and c.number > :after order by c.number desc limit " + PAGE);

  /** The newest batches after a change, newest first. */
  public List<Batch> since(int merchantId, int productId, long after) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection -> {
              Names names = names(connection, merchantId, productId);
              return SINCE
                  .on(connection)
                  .set("merchantId", merchantId)
                  .set("productId", productId)
                  .set("after", after)
                  .list(row -> read(row, names));
            });
  }

  private static final Sql FIND = Sql.of(CHANGES + "and c.number = :number");

  @Nullable Batch find(Connection connection, int merchantId, int productId, long number)
      throws SQLException {
    Names names = names(connection, merchantId, productId);
    return FIND.on(connection)
        .set("merchantId", merchantId)
        .set("productId", productId)
        .set("number", number)
        .first(row -> read(row, names));
  }

  private static final Sql COLORS =
      Sql.of(
          """
          select color from stock_color
          where merchant_id = :merchantId and product_id = :productId
          order by color_no
          """);

  /** The colors of a product; they are numbered from 0 without gaps. */
  static List<String> colors(Connection connection, int merchantId, int productId)
      throws SQLException {
    return COLORS
        .on(connection)
        .set("merchantId", merchantId)
        .set("productId", productId)
        .list(row -> row.getString(1));
  }

  private static final Sql SIZES =
      Sql.of(
          """
          select color_no, size, size_text from removed_entry
          where merchant_id = :merchantId and product_id = :productId
          union all
          select color_no, size, size_text from stock_entry
          where merchant_id = :merchantId and product_id = :productId
          """);

  /** What the numbers of colors and the ranks of sizes in the log stand for. */
  private record Names(List<String> colors, Map<Key, Size> sizes) {
    private record Key(int colorNo, String rank) {}

    private Size size(Number colorNo, String rank) {
      Size size = sizes.get(new Key(colorNo.intValue(), rank));
      if (size == null) {
        throw new IllegalStateException("no entry has the size with the rank " + rank);
      }
      return size;
    }
  }

  private static Names names(Connection connection, int merchantId, int productId)
      throws SQLException {
    Map<Names.Key, Size> sizes = new HashMap<>();
    SIZES
        .on(connection)
        .set("merchantId", merchantId)
        .set("productId", productId)
        .forEach(
            row ->
                sizes.put(
                    new Names.Key(row.getInt(1), row.getString(2)), Size.of(row.getString(3))));
    return new Names(colors(connection, merchantId, productId), sizes);
  }

  private static Batch only(Batch batch, String color, Size size) {
    List<Line> lines =
        batch.lines().stream()
            .filter(line -> line.size.equals(size) && line.color.equals(color))
            .toList();
    return new Batch(
        batch.id,
        batch.at,
        batch.actor,
        batch.address,
        batch.source,
        batch.undoes,
        batch.job,
        lines);
  }

  private static Batch read(ResultSet row, Names names) throws SQLException {
    return new Batch(
        row.getLong("number"),
        Sql.instant(row, "at"),
        row.getString("actor"),
        row.getString("address"),
        row.getString("source"),
        row.getObject("undoes", Long.class),
        job(row),
        lines(row, names));
  }

  private static @Nullable Job job(ResultSet row) throws SQLException {
    Integer importId = row.getObject("import_id", Integer.class);
    return importId == null
        ? null
        : new Job(importId, row.getString("kind"), row.getString("name"));
  }

  private static List<Line> lines(ResultSet row, Names names) throws SQLException {
    Number[] numbers = (Number[]) row.getArray("colors").getArray();
    String[] sizes = (String[]) row.getArray("sizes").getArray();
    Integer[] before = (Integer[]) row.getArray("quantities_before").getArray();
    Integer[] after = (Integer[]) row.getArray("quantities_after").getArray();
    @Nullable String[] barcodesBefore = texts(row.getArray("barcodes_before"), before.length);
    @Nullable String[] barcodesAfter = texts(row.getArray("barcodes_after"), before.length);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < before.length; i++) {
      order.add(i);
    }
    order.sort(
        Comparator.comparingInt((Integer i) -> numbers[i].intValue())
            .thenComparing(i -> names.size(numbers[i], sizes[i])));
    List<Line> lines = new ArrayList<>();
    for (int i : order) {
      lines.add(
          new Line(
              names.colors.get(numbers[i].intValue()),
              names.size(numbers[i], sizes[i]),
              before[i],
              after[i],
              barcodesBefore[i],
              barcodesAfter[i]));
    }
    return lines;
  }

  private static @Nullable String[] texts(@Nullable Array array, int length) throws SQLException {
    return array == null ? new String[length] : (String[]) array.getArray();
  }
}
