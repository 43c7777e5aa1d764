package io.stockroom.server.stock;

import io.stockroom.server.database.Database;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells what was changed in the stock of a product, newest first. */
public final class StockHistory {
  public static final int PAGE = 20;

  /** How far back the history of one entry is looked for among the batches of its product. */
  private static final int MOST_BATCHES = 2000;

  private static final int MOST_OF_ENTRY = 50;

  private static final String COLUMNS =
      """
      change_id, at, actor, through, undoes, colors, sizes, quantities_before, quantities_after,
      barcodes_before, barcodes_after
      """;

  /**
   * What was changed together.
   *
   * @param through {@code page}, {@code call} or {@code import}
   */
  public record Batch(
      long id, Instant at, String actor, String through, @Nullable Long undoes, List<Line> lines) {}

  /**
   * One entry of a batch.
   *
   * @param before null where the entry was new
   * @param barcodeBefore null for none; the same as after where the barcode did not change
   */
  public record Line(
      String colour,
      int size,
      @Nullable Integer before,
      int after,
      @Nullable String barcodeBefore,
      @Nullable String barcodeAfter) {
    public boolean isQuantity() {
      return !Objects.equals(before, after);
    }

    public boolean isBarcode() {
      return !Objects.equals(barcodeBefore, barcodeAfter);
    }

    /** What undoes it. No entry ever goes away again: one that was new gets the quantity 0. */
    CellChange back() {
      int old = before == null ? 0 : before;
      return new CellChange(
          colour,
          size,
          isQuantity() ? new CellChange.Quantity(after, old) : null,
          isBarcode() ? new CellChange.BarCode(barcodeAfter, barcodeBefore) : null);
    }
  }

  private final Database database;

  public StockHistory(Database database) {
    this.database = database;
  }

  /**
   * Up to {@link #PAGE} batches and one more where there is one.
   *
   * @param before the batch before which to begin; 0: the newest
   */
  public List<Batch> batches(int merchantId, int productId, long before) throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "select "
                      + COLUMNS
                      + """
                       from stock_change
                      where merchant_id = ? and product_id = ? and (? = 0 or change_id < ?)
                      order by change_id desc limit ?
                      """)) {
            statement.setInt(1, merchantId);
            statement.setInt(2, productId);
            statement.setLong(3, before);
            statement.setLong(4, before);
            statement.setInt(5, PAGE + 1);
            return read(statement, colours(connection, merchantId, productId));
          }
        });
  }

  /** The batches that changed one entry, each with just the line of this entry. */
  public List<Batch> entry(int merchantId, int productId, String colour, int size)
      throws SQLException {
    return database.read(
        connection -> {
          List<String> colours = colours(connection, merchantId, productId);
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "select "
                      + COLUMNS
                      + """
                       from (
                        select * from stock_change where merchant_id = ? and product_id = ?
                        order by change_id desc limit ?
                      ) c
                      where exists (
                        select 1 from unnest(c.colors, c.sizes) e (color_no, size)
                        where e.color_no = ? and e.size = ?
                      )
                      order by change_id desc limit ?
                      """)) {
            statement.setInt(1, merchantId);
            statement.setInt(2, productId);
            statement.setInt(3, MOST_BATCHES);
            statement.setInt(4, colours.indexOf(colour));
            statement.setInt(5, size);
            statement.setInt(6, MOST_OF_ENTRY);
            return read(statement, colours).stream().map(b -> only(b, colour, size)).toList();
          }
        });
  }

  @Nullable Batch find(Connection connection, int merchantId, int productId, long changeId)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select "
                + COLUMNS
                + " from stock_change where merchant_id = ? and product_id = ? and change_id = ?")) {
      statement.setInt(1, merchantId);
      statement.setInt(2, productId);
      statement.setLong(3, changeId);
      List<Batch> found = read(statement, colours(connection, merchantId, productId));
      return found.isEmpty() ? null : found.getFirst();
    }
  }

  /** The colours of a product; they are numbered from 0 without gaps. */
  static List<String> colours(Connection connection, int merchantId, int productId)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            select color from stock_color where merchant_id = ? and product_id = ?
            order by color_no
            """)) {
      statement.setInt(1, merchantId);
      statement.setInt(2, productId);
      List<String> colours = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          colours.add(row.getString(1));
        }
      }
      return colours;
    }
  }

  private static Batch only(Batch batch, String colour, int size) {
    List<Line> lines =
        batch.lines().stream()
            .filter(line -> line.size == size && line.colour.equals(colour))
            .toList();
    return new Batch(batch.id, batch.at, batch.actor, batch.through, batch.undoes, lines);
  }

  private static List<Batch> read(PreparedStatement statement, List<String> colours)
      throws SQLException {
    List<Batch> batches = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        batches.add(
            new Batch(
                row.getLong("change_id"),
                row.getObject("at", OffsetDateTime.class).toInstant(),
                row.getString("actor"),
                row.getString("through"),
                row.getObject("undoes", Long.class),
                lines(row, colours)));
      }
    }
    return batches;
  }

  private static List<Line> lines(ResultSet row, List<String> colours) throws SQLException {
    Number[] numbers = (Number[]) row.getArray("colors").getArray();
    Number[] sizes = (Number[]) row.getArray("sizes").getArray();
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
            .thenComparingInt(i -> sizes[i].intValue()));
    List<Line> lines = new ArrayList<>();
    for (int i : order) {
      lines.add(
          new Line(
              colours.get(numbers[i].intValue()),
              sizes[i].intValue(),
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
