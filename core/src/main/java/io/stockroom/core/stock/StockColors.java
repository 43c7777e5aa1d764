package io.stockroom.core.stock;

import io.stockroom.core.catalogue.ProductLocks;
import io.stockroom.core.catalogue.ProductLocks.Locked;
import io.stockroom.core.database.Sql;
import io.stockroom.core.stock.StockEntries.NewEntry;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/** The numbers of the colors of some products, which it locks for the transaction. */
final class StockColors {
  private record Color(int productId, String name) {}

  private static final String COLORS =
      """
      select product_id, color, color_no from stock_color
      where merchant_id = :merchantId and product_id = any (:productIds)
      """;

  private static final Sql READ = Sql.of(COLORS);
  private static final Sql LOCK_AND_READ = ProductLocks.before(COLORS);

  /** With more, both ends might wait for the other to read while the query is still being sent. */
  private static final int MAX_AT_ONCE = 1000;

  private static final Sql INSERT =
      Sql.of(
          """
          insert into stock_color (merchant_id, product_id, color_no, color)
          select :merchantId, * from unnest(:productIds::int[], :colorNos::smallint[], :names::text[])
          """);

  private final Map<Color, Integer> numbers = new HashMap<>();

  /** The next free number of each product; colors are numbered from 0 without gaps. */
  private final Map<Integer, Integer> nextFree = new HashMap<>();

  private final List<Color> added = new ArrayList<>();

  private final Map<Integer, Locked> products;

  /** Locks products, and reads the colors that exist, also those whose entries were removed. */
  StockColors(Connection connection, int merchantId, Set<Integer> productIds) throws SQLException {
    int[] ids = productIds.stream().mapToInt(Integer::intValue).toArray();
    if (ids.length <= MAX_AT_ONCE) {
      Sql.Call call = LOCK_AND_READ.on(connection).set("productIds", ids);
      products = ProductLocks.lockAndRead(call, merchantId, productIds, this::read);
    } else {
      products = ProductLocks.lockProducts(connection, merchantId, productIds);
      READ.on(connection).set("merchantId", merchantId).set("productIds", ids).forEach(this::read);
    }
  }

  private void read(ResultSet row) throws SQLException {
    int productId = row.getInt("product_id");
    int number = row.getInt("color_no");
    numbers.put(new Color(productId, row.getString("color")), number);
    nextFree.merge(productId, number + 1, Math::max);
  }

  /** The products that exist. */
  Map<Integer, Locked> products() {
    return products;
  }

  /** Numbers the colors that are new. Returns the products that would have too many. */
  List<Problem> add(List<NewEntry> entries) {
    for (NewEntry entry : entries) {
      Color color = color(entry);
      if (!numbers.containsKey(color)) {
        numbers.put(color, nextFree.merge(color.productId, 1, Integer::sum) - 1);
        added.add(color);
      }
    }
    List<Problem> tooMany = new ArrayList<>();
    nextFree.forEach(
        (productId, count) -> {
          if (count > StockEntries.MAX_COLORS) {
            tooMany.add(
                Problem.of(
                    "pid", ErrorCode.COLORS_TOO_MANY, productId, count, StockEntries.MAX_COLORS));
          }
        });
    return tooMany;
  }

  void insertNew(Connection connection, int merchantId) throws SQLException {
    if (added.isEmpty()) {
      return;
    }
    INSERT
        .on(connection)
        .set("merchantId", merchantId)
        .set("productIds", added.stream().mapToInt(Color::productId).toArray())
        .set("colorNos", shorts(added, this::number))
        .set("names", added.stream().map(Color::name).toArray(String[]::new))
        .update();
  }

  int number(NewEntry entry) {
    return number(color(entry));
  }

  /** The number of a color, or -1 if the product does not have it. */
  int find(int productId, String name) {
    return numbers.getOrDefault(new Color(productId, name), -1);
  }

  private int number(Color color) {
    Integer number = numbers.get(color);
    if (number == null) {
      throw new IllegalStateException("no number for " + color);
    }
    return number;
  }

  private static Color color(NewEntry entry) {
    return new Color(entry.productId(), entry.color());
  }

  /** The driver has no other type for {@code smallint[]}. */
  static <T> short[] shorts(List<T> values, ToIntFunction<T> number) {
    short[] shorts = new short[values.size()];
    for (int i = 0; i < shorts.length; i++) {
      int value = number.applyAsInt(values.get(i));
      if (value > Short.MAX_VALUE) {
        throw new IllegalStateException("too large for smallint: " + value);
      }
      shorts[i] = (short) value;
    }
    return shorts;
  }
}
