package io.stockroom.server.stock;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the stock entries of merchants. */
public final class StockEntries {
  private static final int MOST_COLOURS = 1000;

  /** How many consecutive product numbers share a row of {@code product_block}, by level. */
  private final List<Integer> blockSpans;

  private final boolean uniqueBarcodes;
  private final Guids guids;

  private record Colour(int productId, String name) {}

  /** A row of kept counts; their order is the order in which everybody updates them. */
  private record Block(int level, int number) implements Comparable<Block> {
    @Override
    public int compareTo(Block other) {
      int byLevel = Integer.compare(level, other.level);
      return byLevel != 0 ? byLevel : Integer.compare(number, other.number);
    }
  }

  /** A product that a transaction holds. */
  private record Held(int number, boolean hasStock) {}

  public StockEntries(Clock clock, boolean uniqueBarcodes, List<Integer> blockSpans) {
    this.guids = new Guids(clock);
    this.uniqueBarcodes = uniqueBarcodes;
    this.blockSpans = blockSpans;
  }

  /**
   * Creates the entries, or sets the quantity (and the barcode, where one is sent) of those that
   * exist, and records what that changed. Gives the business failures; where there are any, nothing
   * was written.
   *
   * <p>It holds the merchant (where barcodes are sent), then the products it touches in the order
   * of their ids, so that two such transactions wait for each other instead of deadlocking.
   */
  public List<Problem> put(
      Connection connection, int merchantId, List<NewEntry> entries, Origin origin)
      throws SQLException {
    List<NewEntry> sorted =
        entries.stream()
            .sorted(Comparator.comparingInt(NewEntry::productId))
            .collect(Collectors.toCollection(ArrayList::new));
    Barcodes barcodes = new Barcodes(connection, merchantId, sorted);
    if (uniqueBarcodes) {
      barcodes.hold();
    }
    Map<Integer, Held> held = holdProducts(connection, merchantId, sorted);
    List<Problem> missing = missing(sorted, held);
    if (!missing.isEmpty()) {
      return missing;
    }
    if (uniqueBarcodes) {
      List<Problem> used = barcodes.alreadyUsed();
      if (!used.isEmpty()) {
        return used;
      }
    }
    Map<Colour, Integer> colours = new HashMap<>();
    List<Problem> tooMany = colours(connection, merchantId, sorted, held, colours);
    if (!tooMany.isEmpty()) {
      return tooMany;
    }
    upsert(connection, merchantId, sorted, colours, origin);
    markStocked(connection, merchantId, held);
    return List.of();
  }

  /**
   * Holds what {@link #put} would, so that the entries can be looked at before they are changed.
   * Says whether every product is there.
   */
  boolean hold(Connection connection, int merchantId, List<NewEntry> entries) throws SQLException {
    if (uniqueBarcodes) {
      new Barcodes(connection, merchantId, entries).hold();
    }
    return missing(entries, holdProducts(connection, merchantId, entries)).isEmpty();
  }

  private static Map<Integer, Held> holdProducts(
      Connection connection, int merchantId, List<NewEntry> entries) throws SQLException {
    int[] ids = entries.stream().mapToInt(NewEntry::productId).distinct().toArray();
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            select product_id, number, has_stock from product
            where merchant_id = ? and product_id = any (?)
            order by product_id
            for no key update
            """)) {
      statement.setInt(1, merchantId);
      statement.setObject(2, ids);
      Map<Integer, Held> held = new HashMap<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          held.put(rows.getInt(1), new Held(rows.getInt(2), rows.getBoolean(3)));
        }
      }
      return held;
    }
  }

  private static List<Problem> missing(List<NewEntry> entries, Map<Integer, Held> held) {
    TreeSet<Integer> missing =
        entries.stream()
            .map(NewEntry::productId)
            .filter(id -> !held.containsKey(id))
            .collect(Collectors.toCollection(TreeSet::new));
    if (missing.isEmpty()) {
      return List.of();
    }
    return List.of(Problem.of("pid", ErrorCode.PRODUCT_MISSING, List.copyOf(missing)));
  }

  /**
   * Finds the number of every colour, and gives the next free ones to the colours that are new.
   * Nothing is written where a product would get too many.
   */
  private static List<Problem> colours(
      Connection connection,
      int merchantId,
      List<NewEntry> entries,
      Map<Integer, Held> held,
      Map<Colour, Integer> numbers)
      throws SQLException {
    Map<Integer, Integer> nextFree = new HashMap<>();
    int[] stocked =
        held.entrySet().stream()
            .filter(product -> product.getValue().hasStock)
            .mapToInt(Map.Entry::getKey)
            .toArray();
    if (stocked.length > 0) {
      readColours(connection, merchantId, stocked, numbers, nextFree);
    }
    List<Colour> fresh = new ArrayList<>();
    for (NewEntry entry : entries) {
      Colour colour = new Colour(entry.productId(), entry.colour());
      if (!numbers.containsKey(colour)) {
        int number = nextFree.merge(colour.productId, 1, Integer::sum) - 1;
        numbers.put(colour, number);
        fresh.add(colour);
      }
    }
    List<Problem> tooMany = new ArrayList<>();
    nextFree.forEach(
        (productId, colours) -> {
          if (colours > MOST_COLOURS) {
            tooMany.add(
                Problem.of("pid", ErrorCode.COLOURS_TOO_MANY, productId, colours, MOST_COLOURS));
          }
        });
    if (tooMany.isEmpty() && !fresh.isEmpty()) {
      insertColours(connection, merchantId, fresh, numbers);
    }
    return tooMany;
  }

  private static void readColours(
      Connection connection,
      int merchantId,
      int[] productIds,
      Map<Colour, Integer> numbers,
      Map<Integer, Integer> nextFree)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            select product_id, color, color_no from stock_color
            where merchant_id = ? and product_id = any (?)
            """)) {
      statement.setInt(1, merchantId);
      statement.setObject(2, productIds);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          numbers.put(new Colour(rows.getInt(1), rows.getString(2)), rows.getInt(3));
          nextFree.merge(rows.getInt(1), rows.getInt(3) + 1, Math::max);
        }
      }
    }
  }

  private static void insertColours(
      Connection connection, int merchantId, List<Colour> fresh, Map<Colour, Integer> numbers)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            insert into stock_color (merchant_id, product_id, color_no, color)
            select ?, * from unnest(?::int[], ?::smallint[], ?::text[])
            """)) {
      statement.setInt(1, merchantId);
      statement.setObject(2, fresh.stream().mapToInt(Colour::productId).toArray());
      statement.setObject(3, shorts(fresh, numbers::get));
      statement.setObject(4, fresh.stream().map(Colour::name).toArray(String[]::new));
      statement.executeUpdate();
    }
  }

  /**
   * An entry that stays as it is costs no new row version and leaves no trace in the history. Each
   * entry is looked up by its key, which {@code lateral} insists on: however large the merchant,
   * the planner never reads all of its entries.
   */
  private void upsert(
      Connection connection,
      int merchantId,
      List<NewEntry> entries,
      Map<Colour, Integer> colours,
      Origin origin)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            with changed as (
              select g.product_id, g.color_no, g.size, g.guid, e.quantity as quantity_before,
                g.quantity as quantity_after, e.barcode as barcode_before,
                case when g.barcode is null then e.barcode else nullif(g.barcode, '') end
                  as barcode_after
              from unnest(?::int[], ?::smallint[], ?::smallint[], ?::int[], ?::uuid[], ?::text[])
                g (product_id, color_no, size, quantity, guid, barcode)
              left join lateral (
                select quantity, barcode from stock_entry
                where merchant_id = ? and product_id = g.product_id
                  and color_no = g.color_no and size = g.size
                limit 1
              ) e on true
              where e.quantity is distinct from g.quantity
                or (g.barcode is not null and nullif(g.barcode, '') is distinct from e.barcode)
            ), written as (
              insert into stock_entry
                (merchant_id, product_id, color_no, size, quantity, guid, barcode)
              select ?, product_id, color_no, size, quantity_after, guid, barcode_after
              from changed
              on conflict (merchant_id, product_id, color_no, size) do update
              set quantity = excluded.quantity, barcode = excluded.barcode
            )
            """
                + StockChanges.RECORD)) {
      statement.setObject(1, entries.stream().mapToInt(NewEntry::productId).toArray());
      statement.setObject(
          2, shorts(entries, e -> colours.get(new Colour(e.productId(), e.colour()))));
      statement.setObject(3, shorts(entries, NewEntry::size));
      statement.setObject(4, entries.stream().mapToInt(NewEntry::quantity).toArray());
      statement.setString(5, guids.next(entries.size()));
      boolean coded = entries.stream().anyMatch(entry -> entry.barCode() != null);
      statement.setObject(
          6,
          coded ? entries.stream().map(NewEntry::barCode).toArray(String[]::new) : new String[0]);
      statement.setInt(7, merchantId);
      statement.setInt(8, merchantId);
      StockChanges.set(statement, 9, merchantId, origin);
      statement.executeUpdate();
    }
  }

  /** Products that had no entries have some now: mark them, and keep the counts of their blocks. */
  private void markStocked(Connection connection, int merchantId, Map<Integer, Held> held)
      throws SQLException {
    List<Integer> fresh = new ArrayList<>();
    TreeMap<Block, Integer> added = new TreeMap<>();
    held.forEach(
        (id, product) -> {
          if (!product.hasStock) {
            fresh.add(id);
            for (int level = 0; level < blockSpans.size(); level++) {
              Block block = new Block(level, product.number / blockSpans.get(level));
              added.merge(block, 1, Integer::sum);
            }
          }
        });
    if (fresh.isEmpty()) {
      return;
    }
    try (PreparedStatement mark =
            connection.prepareStatement(
                "update product set has_stock = true where merchant_id = ? and product_id = any (?)");
        PreparedStatement count =
            connection.prepareStatement(
                """
                update product_block set with_stock = with_stock + ?
                where merchant_id = ? and level = ? and block = ?
                """)) {
      mark.setInt(1, merchantId);
      mark.setObject(2, fresh.stream().mapToInt(Integer::intValue).toArray());
      mark.executeUpdate();
      for (Map.Entry<Block, Integer> stocked : added.entrySet()) {
        count.setInt(1, stocked.getValue());
        count.setInt(2, merchantId);
        count.setInt(3, stocked.getKey().level);
        count.setInt(4, stocked.getKey().number);
        count.addBatch();
      }
      count.executeBatch();
    }
  }

  private static <T> short[] shorts(
      List<T> values, java.util.function.Function<T, @Nullable Integer> number) {
    short[] shorts = new short[values.size()];
    for (int i = 0; i < shorts.length; i++) {
      Integer value = number.apply(values.get(i));
      if (value == null || value > Short.MAX_VALUE) {
        throw new IllegalStateException("no such number: " + value);
      }
      shorts[i] = value.shortValue();
    }
    return shorts;
  }
}
