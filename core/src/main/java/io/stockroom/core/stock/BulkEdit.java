package io.stockroom.core.stock;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.catalogue.ProductLocks;
import io.stockroom.core.changes.ChangeLog.ChangeSource;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.stock.StockEntries.NewEntry;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Size;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes the quantities of many products at once. It is previewed first, and written only if none
 * of the products has changed since, as one batch of the change log.
 */
public final class BulkEdit {
  /** The most entries of one edit, changed or not: they are computed in memory. */
  public static final int MAX_ENTRIES = 100_000;

  /** What happens to each quantity. */
  public enum Operation {
    SET,
    ADD,
    SUBTRACT,
    MULTIPLY,
    COPY,
    ZERO
  }

  /**
   * What to change.
   *
   * @param value the new quantity, what is added or subtracted, or the factor
   * @param source the product that a copy takes quantities from; otherwise 0
   * @param colors empty: all
   * @param sizes empty: all
   */
  public record Request(
      Collection<Integer> productIds,
      Operation operation,
      BigDecimal value,
      int source,
      Collection<String> colors,
      Collection<Size> sizes) {}

  /**
   * An entry that changes.
   *
   * @param before null if the entry is new
   */
  public record Line(
      int productId, String artNo, String color, Size size, @Nullable Integer before, int after) {}

  /**
   * What an edit would do.
   *
   * @param raised how many results would be below 0 and become 0
   * @param capped how many results would be too large and become the largest quantity
   * @param unchanged how many entries stay as they are
   * @param tooMany whether it concerns more than {@link #MAX_ENTRIES} entries; then there are no
   *     lines
   * @param seen the merchant's last change, which {@link #apply} expects
   */
  public record Plan(
      List<Line> lines, int raised, int capped, int unchanged, boolean tooMany, long seen) {
    public int products() {
      return (int) lines.stream().mapToInt(Line::productId).distinct().count();
    }

    public int created() {
      return (int) lines.stream().filter(line -> line.before == null).count();
    }
  }

  /** What became of an edit. */
  public sealed interface Outcome {
    /**
     * Everything is written.
     *
     * @param batch its batch in the change log
     */
    record Applied(Plan plan, long batch) implements Outcome {}

    /** Nothing is written: some of the products have changed since the preview. */
    record Changed() implements Outcome {}

    /** Nothing is written, because a rule forbids it. */
    record Rejected(List<Problem> problems) implements Outcome {}

    /** There is nothing to change. */
    record Nothing() implements Outcome {}
  }

  private record Entry(int productId, String artNo, String color, Size size, int quantity) {}

  private record Target(int productId, String artNo) {}

  private static final Sql ENTRIES =
      Sql.of(
          """
          select p.product_id, p.art_no, c.color, e.size_text, e.quantity
          from product p
          join stock_entry e using (merchant_id, product_id)
          join stock_color c using (merchant_id, product_id, color_no)
          where p.merchant_id = :merchantId and p.product_id = any (:productIds)
            and (cardinality(:colors::text[]) = 0 or c.color = any (:colors::text[]))
            and (cardinality(:sizes::text[]) = 0 or e.size = any (:sizes::text[]))
          order by p.product_id, e.color_no, e.size
          limit :limit
          """);

  private static final Sql PRODUCTS =
      Sql.of(
          """
          select product_id, art_no from product
          where merchant_id = :merchantId and product_id = any (:productIds)
          order by product_id
          """);

  private static final Sql COLORS =
      Sql.of(
          """
          select c.color, count(*) as products from stock_color c
          where c.merchant_id = :merchantId and c.product_id = any (:productIds) and exists (
            select 1 from stock_entry e
            where e.merchant_id = c.merchant_id and e.product_id = c.product_id
              and e.color_no = c.color_no)
          group by c.color order by products desc, c.color limit :limit
          """);

  private static final Sql HEAD =
      Sql.of("select number, last_change from log_head where merchant_id = :merchantId");

  private static final Sql CHANGED_SINCE =
      Sql.of(
          """
          select 1 from change_log
          where merchant_id = :merchantId and number > :seen and product_id = any (:productIds)
          limit 1
          """);

  private static final Sql TIMEOUT = Sql.of("set local statement_timeout = '2min'");

  private final Cells cells;
  private final StockEntries entries;

  public BulkEdit(Cells cells, StockEntries entries) {
    this.cells = cells;
    this.entries = entries;
  }

  /** The colors that these products have, the most frequent first. */
  public List<String> colors(int merchantId, Collection<Integer> productIds, int max)
      throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection ->
                COLORS
                    .on(connection)
                    .set("merchantId", merchantId)
                    .set("productIds", ints(productIds))
                    .set("limit", max)
                    .list(row -> row.getString("color")));
  }

  public Plan preview(int merchantId, Request request) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection -> {
              // first: a change between the two is noticed when the edit is applied
              long seen =
                  HEAD.on(connection)
                      .set("merchantId", merchantId)
                      .one(row -> row.getLong("last_change"));
              return plan(connection, merchantId, request, seen);
            });
  }

  /**
   * Writes the edit within the caller's transaction.
   *
   * @param seen what the preview said
   */
  public Outcome apply(
      Connection connection, int merchantId, Request request, long seen, Actor actor)
      throws SQLException {
    TIMEOUT.on(connection).update();
    Set<Integer> touched = new HashSet<>(request.productIds());
    if (request.operation == Operation.COPY) {
      touched.add(request.source);
    }
    ProductLocks.lockProducts(connection, merchantId, touched);
    boolean changed =
        CHANGED_SINCE
            .on(connection)
            .set("merchantId", merchantId)
            .set("seen", seen)
            .set("productIds", ints(touched))
            .exists();
    if (changed) {
      return new Outcome.Changed();
    }
    Plan plan = plan(connection, merchantId, request, seen);
    if (plan.lines.isEmpty()) {
      return new Outcome.Nothing();
    }
    List<NewEntry> wanted =
        plan.lines.stream()
            .map(line -> new NewEntry(line.productId, line.color, line.size, line.after, null))
            .toList();
    Origin origin =
        new Origin(actor, ChangeSource.CONSOLE, "stock.bulk", "", wanted.size() + " entries");
    List<Problem> problems = entries.put(connection, merchantId, wanted, origin);
    if (!problems.isEmpty()) {
      return new Outcome.Rejected(problems);
    }
    // the transaction holds the head of the log, so its last batch is this one
    long batch =
        HEAD.on(connection).set("merchantId", merchantId).one(row -> row.getLong("number"));
    return new Outcome.Applied(plan, batch);
  }

  private static Plan plan(Connection connection, int merchantId, Request request, long seen)
      throws SQLException {
    List<Entry> present = read(connection, merchantId, request.productIds, request);
    Planner planner = new Planner(request);
    if (request.operation == Operation.COPY) {
      List<Entry> source = read(connection, merchantId, List.of(request.source), request);
      List<Target> targets =
          PRODUCTS
              .on(connection)
              .set("merchantId", merchantId)
              .set("productIds", ints(request.productIds))
              .list(row -> new Target(row.getInt(1), row.getString(2)));
      long all = (long) source.size() * targets.size();
      if (all > MAX_ENTRIES || present.size() > MAX_ENTRIES) {
        return new Plan(List.of(), 0, 0, 0, true, seen);
      }
      planner.copy(source, targets, present);
    } else if (present.size() > MAX_ENTRIES) {
      return new Plan(List.of(), 0, 0, 0, true, seen);
    } else {
      present.forEach(planner::change);
    }
    return planner.plan(seen);
  }

  private static List<Entry> read(
      Connection connection, int merchantId, Collection<Integer> productIds, Request request)
      throws SQLException {
    return ENTRIES
        .on(connection)
        .set("merchantId", merchantId)
        .set("productIds", ints(productIds))
        .set("colors", request.colors.toArray(String[]::new))
        .set("sizes", request.sizes.stream().map(Size::rank).toArray(String[]::new))
        .set("limit", MAX_ENTRIES + 1)
        .list(
            row ->
                new Entry(
                    row.getInt("product_id"),
                    row.getString("art_no"),
                    row.getString("color"),
                    Size.of(row.getString("size_text")),
                    row.getInt("quantity")));
  }

  private static int[] ints(Collection<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Computes the new quantities. */
  private static final class Planner {
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Integer.MAX_VALUE);

    private final Request request;
    private final List<Line> lines = new ArrayList<>();
    private int raised;
    private int capped;
    private int unchanged;

    private Planner(Request request) {
      this.request = request;
    }

    private void change(Entry entry) {
      BigDecimal quantity = BigDecimal.valueOf(entry.quantity);
      BigDecimal result =
          switch (request.operation) {
            case SET -> request.value;
            case ADD -> quantity.add(request.value);
            case SUBTRACT -> quantity.subtract(request.value);
            case MULTIPLY -> quantity.multiply(request.value).setScale(0, RoundingMode.HALF_UP);
            case ZERO -> BigDecimal.ZERO;
            case COPY -> throw new IllegalStateException("copies have a source");
          };
      if (result.signum() < 0) {
        raised++;
        result = BigDecimal.ZERO;
      } else if (result.compareTo(LARGEST) > 0) {
        capped++;
        result = LARGEST;
      }
      put(entry, entry.quantity, result.intValueExact());
    }

    /** Gives every target the entries of the source; a target's other entries stay. */
    private void copy(List<Entry> source, List<Target> targets, List<Entry> present) {
      record Key(int productId, String color, Size size) {}

      Map<Key, Integer> quantities = new HashMap<>();
      present.forEach(
          entry ->
              quantities.put(new Key(entry.productId, entry.color, entry.size), entry.quantity));
      for (Target target : targets) {
        if (target.productId == request.source) {
          continue;
        }
        for (Entry from : source) {
          Integer before = quantities.get(new Key(target.productId, from.color, from.size));
          put(
              new Entry(target.productId, target.artNo, from.color, from.size, 0),
              before,
              from.quantity);
        }
      }
    }

    private void put(Entry entry, @Nullable Integer before, int after) {
      if (before != null && before == after) {
        unchanged++;
      } else {
        lines.add(new Line(entry.productId, entry.artNo, entry.color, entry.size, before, after));
      }
    }

    private Plan plan(long seen) {
      return new Plan(lines, raised, capped, unchanged, false, seen);
    }
  }
}
