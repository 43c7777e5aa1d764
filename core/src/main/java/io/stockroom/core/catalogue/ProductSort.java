package io.stockroom.core.catalogue;

import java.util.Locale;

/** What the list of products is sorted by. */
public enum ProductSort {
  /** The order of the product list of the interface. */
  ADDED("product_id"),
  ART_NO("art_no"),
  TITLE("title"),
  PRICE("price"),
  QUANTITY("quantity"),
  CHANGED("changed_at");

  private final String column;

  ProductSort(String column) {
    this.column = column;
  }

  /** Its name in an address. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The {@code order by} clause; products with the same value are in the order of their ids. */
  String clause(boolean descending) {
    String direction = descending ? " desc" : "";
    return this == ADDED
        ? "s.product_id" + direction
        : "s.%s%s%s, s.product_id%s"
            .formatted(
                column,
                direction,
                this != CHANGED ? "" : descending ? " nulls last" : " nulls first",
                direction);
  }
}
