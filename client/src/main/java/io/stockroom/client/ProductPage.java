package io.stockroom.client;

import java.util.List;

/**
 * One page of the product list.
 *
 * @param totalPages how many pages there are; 0 where there are no products
 * @param products the products of this page; none beyond the last page
 */
public record ProductPage(int totalPages, List<ProductSummary> products) {
  /** Keeps the products as they are now. */
  public ProductPage {
    products = List.copyOf(products);
  }

  static ProductPage read(Fields fields) {
    return new ProductPage(fields.whole("totalPages"), fields.list("data", ProductSummary::read));
  }
}
