package io.stockroom.core.stock;

import io.stockroom.core.catalogue.ProductLocks;
import io.stockroom.core.catalogue.ProductLocks.Locked;
import io.stockroom.core.changes.ChangeLog;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.request.Adjustment;
import io.stockroom.protocol.request.EntryAddress.ByArtNo;
import io.stockroom.protocol.request.EntryAddress.ByBarCode;
import io.stockroom.protocol.request.EntryAddress.ByPid;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The entries that an adjust request names, in products that the transaction has locked. */
final class AdjustedEntries {
  record Entry(int productId, String color, int colorNo, Size size, int quantity, UUID guid) {}

  /** An entry, as it was, and its new quantity. */
  record Adjusted(Entry entry, int after) {}

  /** An entry by its names, whether it exists or not. */
  record Key(int productId, String color, Size size) {}

  private final int merchantId;
  private final List<Adjustment> adjustments;
  private final Map<String, Integer> productOfArtNo = new HashMap<>();
  private final Set<Integer> productIds = new TreeSet<>();
  private Map<Integer, Locked> held = Map.of();

  private final List<List<Entry>> found = new ArrayList<>();

  private AdjustedEntries(int merchantId, List<Adjustment> adjustments) {
    this.merchantId = merchantId;
    this.adjustments = adjustments;
    adjustments.forEach(_ -> found.add(new ArrayList<>(1)));
  }

  /**
   * Finds the products, locks them as {@link ProductLocks} prescribes, and reads the entries. It
   * does not lock the merchant: if a barcode moves to another product meanwhile, the transaction is
   * repeated.
   */
  static AdjustedEntries locked(Connection connection, int merchantId, List<Adjustment> adjustments)
      throws SQLException {
    AdjustedEntries entries = new AdjustedEntries(merchantId, adjustments);
    entries.findProducts(connection);
    entries.lockAndRead(connection);
    return entries;
  }

  private static final Sql FIND_PRODUCTS =
      Sql.of(
          """
          select product_id, art_no from product
          where merchant_id = :merchantId and art_no = any (:artNos)
          union all
          select product_id, null from stock_entry
          where merchant_id = :merchantId and barcode = any (:barcodes)
          """);

  private void findProducts(Connection connection) throws SQLException {
    List<String> artNos = new ArrayList<>();
    List<String> barcodes = new ArrayList<>();
    for (Adjustment adjustment : adjustments) {
      switch (adjustment.entry()) {
        case ByPid(int pid, String _, Size _) -> productIds.add(pid);
        case ByArtNo(String artNo, String _, Size _) -> artNos.add(artNo);
        case ByBarCode(String barCode) -> barcodes.add(barCode);
      }
    }
    if (artNos.isEmpty() && barcodes.isEmpty()) {
      return;
    }
    FIND_PRODUCTS
        .on(connection)
        .set("merchantId", merchantId)
        .set("artNos", artNos.toArray(String[]::new))
        .set("barcodes", barcodes.toArray(String[]::new))
        .forEach(
            row -> {
              productIds.add(row.getInt("product_id"));
              String artNo = row.getString("art_no");
              if (artNo != null) {
                productOfArtNo.put(artNo, row.getInt("product_id"));
              }
            });
  }

  /** {@code lateral} makes the planner look up each entry by a key. */
  private static final Sql LOCK_AND_READ =
      ProductLocks.before(
          """
          select g.element, e.product_id, c.color, e.color_no, e.size_text, e.quantity, e.guid
          from unnest(:elements::int[], :productIds::int[], :colors::text[], :sizes::text[],
              :barcodes::text[]) g (element, product_id, color, size, barcode)
          cross join lateral (
            select n.* from stock_color k
            join stock_entry n using (merchant_id, product_id, color_no)
            where k.merchant_id = :merchantId and k.product_id = g.product_id
              and k.color = g.color and n.size = g.size
            union all
            (select * from stock_entry
             where merchant_id = :merchantId and barcode = g.barcode
             limit 2)
          ) e
          join stock_color c on c.merchant_id = :merchantId and c.product_id = e.product_id
            and c.color_no = e.color_no
          """);

  private void lockAndRead(Connection connection) throws SQLException {
    int count = adjustments.size();
    int[] elements = new int[count];
    Integer[] products = new Integer[count];
    String[] colors = new String[count];
    String[] sizes = new String[count];
    String[] barcodes = new String[count];
    for (int i = 0; i < count; i++) {
      elements[i] = i;
      Key key = named(i);
      if (key != null) {
        products[i] = key.productId;
        colors[i] = key.color;
        sizes[i] = key.size.rank();
      } else if (adjustments.get(i).entry() instanceof ByBarCode(String barCode)) {
        barcodes[i] = barCode;
      }
    }
    Sql.Call call =
        LOCK_AND_READ
            .on(connection)
            .set("elements", elements)
            .set("productIds", products)
            .set("colors", colors)
            .set("sizes", sizes)
            .set("barcodes", barcodes);
    held = ProductLocks.lockAndRead(call, merchantId, productIds, this::add);
    if (!found.stream()
        .flatMap(List::stream)
        .allMatch(entry -> held.containsKey(entry.productId))) {
      throw new SQLException("an entry moved to a product that is not locked", "40001");
    }
  }

  private void add(ResultSet row) throws SQLException {
    found
        .get(row.getInt("element"))
        .add(
            new Entry(
                row.getInt("product_id"),
                row.getString("color"),
                row.getInt("color_no"),
                Size.of(row.getString("size_text")),
                row.getInt("quantity"),
                row.getObject("guid", UUID.class)));
  }

  List<Adjustment> adjustments() {
    return adjustments;
  }

  /** What an element names; two entries mean that several share its barcode. */
  List<Entry> found(int element) {
    return found.get(element);
  }

  /** The entry of an element that names it by its product; null if that does not exist. */
  @Nullable Key key(int element) {
    Key key = named(element);
    return key != null && held.containsKey(key.productId) ? key : null;
  }

  private @Nullable Key named(int element) {
    return switch (adjustments.get(element).entry()) {
      case ByPid(int pid, String color, Size size) -> new Key(pid, color, size);
      case ByArtNo(String artNo, String color, Size size) -> {
        Integer pid = productOfArtNo.get(artNo);
        yield pid == null ? null : new Key(pid, color, size);
      }
      case ByBarCode(String _) -> null;
    };
  }

  /** Every entry with its new quantity, in the order of the request, if there are no failures. */
  List<Adjusted> adjusted() {
    List<Adjusted> adjusted = new ArrayList<>();
    for (int i = 0; i < adjustments.size(); i++) {
      Entry entry = found.get(i).getFirst();
      adjusted.add(new Adjusted(entry, (int) adjustments.get(i).after(entry.quantity)));
    }
    return adjusted;
  }

  private static final Sql WRITE =
      ChangeLog.recordingStock(
          """
          with changed as (
            select g.*, null::text as barcode_before, null::text as barcode_after
            from unnest(:productIds::int[], :colorNos::smallint[], :sizes::text[],
                :before::int[], :after::int[])
              g (product_id, color_no, size, quantity_before, quantity_after)
          ), written as (
            update stock_entry e set quantity = g.quantity_after
            from changed g
            where e.merchant_id = :merchantId and e.product_id = g.product_id
              and e.color_no = g.color_no and e.size = g.size
          )
          """);

  private static final Sql LAST_CHANGE =
      Sql.of("select last_change from log_head where merchant_id = :merchantId");

  /** Writes the quantities that differ, and returns the number of the merchant's last change. */
  long write(Connection connection, Origin origin) throws SQLException {
    List<Adjusted> changed =
        adjusted().stream().filter(one -> one.after != one.entry.quantity).toList();
    Sql.Call call =
        WRITE
            .on(connection)
            .set("productIds", changed.stream().mapToInt(one -> one.entry.productId).toArray())
            .set("colorNos", StockColors.shorts(changed, one -> one.entry.colorNo))
            .set("sizes", changed.stream().map(one -> one.entry.size.rank()).toArray(String[]::new))
            .set("before", changed.stream().mapToInt(one -> one.entry.quantity).toArray())
            .set("after", changed.stream().mapToInt(Adjusted::after).toArray());
    Long number = ChangeLog.record(call, merchantId, origin);
    return number != null
        ? number
        : LAST_CHANGE
            .on(connection)
            .set("merchantId", merchantId)
            .one(row -> row.getLong("last_change"));
  }
}
