package io.stockroom.core.catalogue;

import io.stockroom.core.database.Sql;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.request.NamedProduct;
import io.stockroom.protocol.request.Problems;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the products that a request names by id or item number, archived ones too. */
public final class ProductNames {
  /** A product that exists. */
  public record Found(int id, String artNo, boolean archived) {}

  private static final Sql FIND =
      Sql.of(
          """
          select product_id, art_no, false as archived from product
          where merchant_id = :merchantId and product_id = any (:ids)
          union
          select product_id, art_no, false from product
          where merchant_id = :merchantId and art_no = any (:artNos)
          union
          select product_id, art_no, true from archived_product
          where merchant_id = :merchantId and product_id = any (:ids)
          union
          select product_id, art_no, true from archived_product
          where merchant_id = :merchantId and art_no = any (:artNos)
          """);

  private static final int MAX_SHOWN = 20;

  private final Map<Object, Found> byName = new HashMap<>();

  private ProductNames() {}

  public static ProductNames find(
      Connection connection, int merchantId, Collection<NamedProduct> products)
      throws SQLException {
    ProductNames names = new ProductNames();
    FIND.on(connection)
        .set("merchantId", merchantId)
        .set("ids", of(products, NamedProduct::pid).toArray(Integer[]::new))
        .set("artNos", of(products, NamedProduct::artNo).toArray(String[]::new))
        .forEach(
            row -> {
              Found found =
                  new Found(
                      row.getInt("product_id"),
                      row.getString("art_no"),
                      row.getBoolean("archived"));
              names.byName.put(found.id, found);
              names.byName.put(found.artNo, found);
            });
    return names;
  }

  private interface Name<T> {
    @Nullable T of(NamedProduct product);
  }

  private static <T> Stream<T> of(Collection<NamedProduct> products, Name<T> name) {
    return products.stream().map(name::of).filter(Objects::nonNull).map(Objects::requireNonNull);
  }

  /** The ids of products as the subject of an entry in the audit log. */
  public static String subject(Stream<Integer> productIds) {
    List<Integer> ids = productIds.distinct().sorted().toList();
    String first =
        ids.stream().limit(MAX_SHOWN).map(String::valueOf).collect(Collectors.joining(", "));
    return ids.size() > MAX_SHOWN
        ? first + " and %d more".formatted(ids.size() - MAX_SHOWN)
        : first;
  }

  /** Null if this merchant has no such product. */
  public @Nullable Found of(NamedProduct product) {
    return byName.get(product.name());
  }

  /** Adds a problem for each product that the request names by its id and by its item number. */
  public void rejectRepeated(List<NamedProduct> products, Problems problems) {
    Map<Integer, NamedProduct> first = new HashMap<>();
    for (NamedProduct product : products) {
      Found found = of(product);
      NamedProduct earlier = found == null ? null : first.putIfAbsent(found.id, product);
      if (earlier != null) {
        problems.add(product.at(), ErrorCode.PRODUCT_REPEATED, product.name(), earlier.element());
      }
    }
  }
}
