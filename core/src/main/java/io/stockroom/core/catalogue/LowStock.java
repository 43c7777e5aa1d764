package io.stockroom.core.catalogue;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Below which quantity an entry is low: a number for each merchant, and for single products. */
public final class LowStock {
  public static final int MIN = 1;
  public static final int MAX = 1_000_000;

  /**
   * What holds for a product.
   *
   * @param own the product's own number; null if the merchant's holds
   */
  public record Threshold(int ofMerchant, @Nullable Integer own) {
    public int below() {
      return own == null ? ofMerchant : own;
    }
  }

  private static final Sql FIND =
      Sql.of(
          """
          select m.low_below, t.below from merchant_data m
          left join low_stock_threshold t
            on t.merchant_id = m.merchant_id and t.product_id = :productId
          where m.merchant_id = :merchantId
          """);

  private static final Sql SET_MERCHANT =
      Sql.of(
          """
          update merchant_data set low_below = :below
          where merchant_id = :merchantId and low_below <> :below
          """);

  private static final Sql SET_PRODUCT =
      Sql.of(
          """
          insert into low_stock_threshold (merchant_id, product_id, below)
          select merchant_id, product_id, :below from product
          where merchant_id = :merchantId and product_id = :productId
          on conflict (merchant_id, product_id) do update set below = excluded.below
          where low_stock_threshold.below <> excluded.below
          """);

  private static final Sql CLEAR_PRODUCT =
      Sql.of(
          """
          delete from low_stock_threshold
          where merchant_id = :merchantId and product_id = :productId
          """);

  private final Cells cells;
  private final Audit audit;

  public LowStock(Cells cells, Audit audit) {
    this.cells = cells;
    this.audit = audit;
  }

  public Threshold of(int merchantId, int productId) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection ->
                FIND.on(connection)
                    .set("merchantId", merchantId)
                    .set("productId", productId)
                    .one(
                        row ->
                            new Threshold(
                                row.getInt("low_below"), row.getObject("below", Integer.class))));
  }

  /** Sets the merchant's number; the status of its products follows soon. */
  public void setForMerchant(int merchantId, int below, Actor actor) throws SQLException {
    cells
        .of(merchantId)
        .write(
            connection -> {
              int changed =
                  SET_MERCHANT
                      .on(connection)
                      .set("merchantId", merchantId)
                      .set("below", check(below))
                      .update();
              if (changed > 0) {
                ProductSummaries.rebuild(connection, merchantId);
                audit.add(
                    connection, merchantId, actor, "stock.threshold", "merchant", "below " + below);
              }
              return null;
            });
  }

  /**
   * Sets the number of a product.
   *
   * @param below null: the merchant's number holds again
   */
  public void setForProduct(int merchantId, int productId, @Nullable Integer below, Actor actor)
      throws SQLException {
    cells
        .of(merchantId)
        .write(
            connection -> {
              Sql.Call call =
                  below == null
                      ? CLEAR_PRODUCT.on(connection)
                      : SET_PRODUCT.on(connection).set("below", check(below));
              int changed = call.set("merchantId", merchantId).set("productId", productId).update();
              if (changed > 0) {
                ProductSummaries.summarize(connection, merchantId, List.of(productId));
                String details = below == null ? "as the merchant" : "below " + below;
                audit.add(
                    connection,
                    merchantId,
                    actor,
                    "stock.threshold",
                    "product " + productId,
                    details);
              }
              return null;
            });
  }

  private static int check(int below) {
    if (below < MIN || below > MAX) {
      throw new IllegalArgumentException("not from %d to %d: %d".formatted(MIN, MAX, below));
    }
    return below;
  }
}
