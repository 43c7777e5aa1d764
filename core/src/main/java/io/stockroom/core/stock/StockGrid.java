package io.stockroom.core.stock;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.changes.ChangeLog.ChangeSource;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.stock.StockEntries.EntryKey;
import io.stockroom.core.stock.StockEntries.NewEntry;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.request.CreateReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The stock of one product as people edit it: colors down, sizes across. Changes follow the same
 * rules as a create, are written all or none, and never overwrite what somebody else has changed
 * meanwhile.
 */
public final class StockGrid {
  /** The most cells of one save, as many as a create may have. */
  public static final int MAX_CELLS = CreateReader.MAX_ENTRIES;

  /**
   * The stock of a product.
   *
   * @param pictures the picture of each color that has one
   */
  public record Grid(
      String artNo,
      String title,
      List<String> colors,
      Map<String, String> pictures,
      List<Cell> cells) {
    /** Every size once, in order. */
    public List<Size> sizes() {
      return cells.stream().map(Cell::size).distinct().sorted().toList();
    }
  }

  /** What became of a set of changes. */
  public sealed interface Outcome {
    /** Everything is written. */
    record Saved(int cells) implements Outcome {}

    /** Nothing is written: these cells were changed by somebody else, and this is how they are. */
    record Conflicting(List<Cell> present) implements Outcome {}

    /** Nothing is written, because a rule forbids it. */
    record Rejected(List<Problem> problems) implements Outcome {}

    /** This merchant has no such product, or the product no such change. */
    record Missing() implements Outcome {}
  }

  /** What to do with cells that somebody else changed. */
  public enum Others {
    /** Write nothing and report it. */
    ASK,
    /** Leave them as they are, and write the rest. */
    LEAVE,
    /** Write over them. */
    OVERWRITE
  }

  private record Key(String color, Size size) {}

  private final Cells cells;
  private final StockEntries entries;
  private final StockHistory history;

  public StockGrid(Cells cells, StockEntries entries, StockHistory history) {
    this.cells = cells;
    this.entries = entries;
    this.history = history;
  }

  private static final Sql FIND =
      Sql.of(
          """
          select p.art_no, d.title, d.image_colors, d.image_urls from product p
          join product_detail d using (merchant_id, product_id)
          where p.merchant_id = :merchantId and p.product_id = :productId
          """);

  /** The grid of a product; null if this merchant has no such product. */
  public @Nullable Grid read(int merchantId, int productId) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection ->
                FIND.on(connection)
                    .set("merchantId", merchantId)
                    .set("productId", productId)
                    .first(
                        row ->
                            grid(
                                row.getString("art_no"),
                                row.getString("title"),
                                pictures(row),
                                cells(connection, merchantId, productId))));
  }

  private static final Sql OFFERED =
      Sql.of(
          """
          with others as (
            select product_id from product_summary
            where merchant_id = :merchantId and product_id <> :productId and category = (
              select category from product_summary
              where merchant_id = :merchantId and product_id = :productId)
            order by product_id desc limit :products
          )
          select min(e.size_text) from others o cross join lateral (
            select distinct size, size_text from stock_entry
            where merchant_id = :merchantId and product_id = o.product_id
          ) e
          group by e.size order by count(*) desc, e.size limit :sizes
          """);

  private static final int OFFERED_PRODUCTS = 50;
  private static final int OFFERED_SIZES = 20;

  /** The sizes that other products of the same category have most often, in their order. */
  public List<Size> offered(int merchantId, int productId) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection ->
                OFFERED
                    .on(connection)
                    .set("merchantId", merchantId)
                    .set("productId", productId)
                    .set("products", OFFERED_PRODUCTS)
                    .set("sizes", OFFERED_SIZES)
                    .list(row -> Size.of(row.getString(1))))
        .stream()
        .sorted()
        .toList();
  }

  /** Shows only the colors that have entries. */
  private static Grid grid(
      String artNo, String title, Map<String, String> pictures, List<Cell> cells) {
    return new Grid(
        artNo, title, cells.stream().map(Cell::color).distinct().toList(), pictures, cells);
  }

  private static Map<String, String> pictures(ResultSet row) throws SQLException {
    List<String> colors = Sql.texts(row, "image_colors");
    List<String> urls = Sql.texts(row, "image_urls");
    Map<String, String> pictures = new TreeMap<>();
    for (int i = 0; i < colors.size(); i++) {
      pictures.putIfAbsent(colors.get(i), urls.get(i));
    }
    return pictures;
  }

  /** Writes the changes, all or none. */
  public Outcome save(int merchantId, int productId, List<CellChange> changes, Actor actor)
      throws SQLException {
    return cells
        .of(merchantId)
        .write(
            connection ->
                write(connection, merchantId, productId, changes, Others.ASK, actor, null));
  }

  /** One entry of a change that is undone alone. */
  public record Only(String color, Size size) {}

  /**
   * Writes the old values of an earlier change back, as a new change.
   *
   * @param only null: every entry of the change
   */
  public Outcome undo(
      int merchantId, int productId, long number, @Nullable Only only, Others others, Actor actor)
      throws SQLException {
    return cells
        .of(merchantId)
        .write(
            connection -> {
              StockHistory.Batch batch = history.find(connection, merchantId, productId, number);
              if (batch == null) {
                return new Outcome.Missing();
              }
              boolean undo = batch.source().equals(ChangeSource.UNDO.word());
              List<CellChange> back =
                  batch.lines().stream()
                      .filter(
                          line -> only == null || only.equals(new Only(line.color(), line.size())))
                      .map(line -> line.back(undo))
                      .toList();
              if (back.isEmpty()) {
                return new Outcome.Missing();
              }
              return write(connection, merchantId, productId, back, others, actor, number);
            });
  }

  private Outcome write(
      Connection connection,
      int merchantId,
      int productId,
      List<CellChange> changes,
      Others others,
      Actor actor,
      @Nullable Long undoes)
      throws SQLException {
    List<NewEntry> touched = changes.stream().map(c -> c.entry(productId, null)).toList();
    if (!entries.hold(connection, merchantId, touched)) {
      return new Outcome.Missing();
    }
    Map<Key, Cell> present = present(connection, merchantId, productId, changes);
    List<Cell> conflicts = new ArrayList<>();
    List<NewEntry> wanted = new ArrayList<>();
    List<EntryKey> removed = new ArrayList<>();
    for (CellChange change : changes) {
      Cell cell = present.get(new Key(change.color(), change.size()));
      boolean conflicting = change.conflictsWith(cell);
      if (conflicting && others == Others.ASK) {
        conflicts.add(
            cell == null
                ? new Cell(change.color(), change.size(), null, null)
                : new Cell(change.color(), change.size(), cell.quantity(), cell.barCode()));
      }
      if (conflicting && others == Others.LEAVE) {
        continue;
      }
      if (change.isRemoval()) {
        removed.add(new EntryKey(productId, change.color(), change.size()));
      } else {
        wanted.add(change.entry(productId, cell));
      }
    }
    if (!conflicts.isEmpty()) {
      return new Outcome.Conflicting(conflicts);
    }
    int cells = wanted.size() + removed.size();
    if (cells == 0) {
      return new Outcome.Saved(0);
    }
    Origin origin =
        new Origin(
            actor,
            undoes == null ? ChangeSource.CONSOLE : ChangeSource.UNDO,
            undoes == null ? "stock.edit" : "stock.undo",
            String.valueOf(productId),
            cells + " entries",
            undoes);
    List<Problem> problems = entries.put(connection, merchantId, wanted, removed, origin);
    if (!problems.isEmpty()) {
      return new Outcome.Rejected(problems);
    }
    return new Outcome.Saved(cells);
  }

  private static final Sql PRESENT =
      Sql.of(
          """
          select c.color, e.size_text, e.quantity, e.barcode
          from unnest(:colors::text[], :sizes::text[]) g (color, size)
          join stock_color c on c.merchant_id = :merchantId and c.product_id = :productId
            and c.color = g.color
          join stock_entry e on e.merchant_id = c.merchant_id and e.product_id = c.product_id
            and e.color_no = c.color_no and e.size = g.size
          """);

  private static Map<Key, Cell> present(
      Connection connection, int merchantId, int productId, List<CellChange> changes)
      throws SQLException {
    Map<Key, Cell> present = new HashMap<>();
    PRESENT
        .on(connection)
        .set("merchantId", merchantId)
        .set("productId", productId)
        .set("colors", changes.stream().map(CellChange::color).toArray(String[]::new))
        .set("sizes", changes.stream().map(change -> change.size().rank()).toArray(String[]::new))
        .list(StockGrid::cell)
        .forEach(cell -> present.put(new Key(cell.color(), cell.size()), cell));
    return present;
  }

  private static final Sql CELLS =
      Sql.of(
          """
          select c.color, e.size_text, e.quantity, e.barcode
          from stock_entry e
          join stock_color c using (merchant_id, product_id, color_no)
          where e.merchant_id = :merchantId and e.product_id = :productId
          order by e.color_no, e.size
          """);

  /** A size that colors write differently is written as in the first of them: it is one column. */
  private static List<Cell> cells(Connection connection, int merchantId, int productId)
      throws SQLException {
    Map<Size, Size> shown = new HashMap<>();
    return CELLS
        .on(connection)
        .set("merchantId", merchantId)
        .set("productId", productId)
        .list(
            row -> {
              Cell cell = cell(row);
              Size size = shown.computeIfAbsent(cell.size(), own -> own);
              return new Cell(cell.color(), size, cell.quantity(), cell.barCode());
            });
  }

  private static Cell cell(ResultSet row) throws SQLException {
    return new Cell(row.getString(1), Size.of(row.getString(2)), row.getInt(3), row.getString(4));
  }
}
