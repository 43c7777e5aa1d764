package io.stockroom.client;

import java.util.List;

/**
 * One page of the product list.
 *
 * @param totalPages the number of pages; 0 if there are no products
 * @param products the products of this page; empty beyond the last page
 */
public record ProductPage(int totalPages, List<ProductSummary> products) {
  /** Copies the list. */
  public ProductPage {
    products = List.copyOf(products);
  }

  static ProductPage read(Fields fields) {
    return new ProductPage(fields.whole("totalPages"), fields.list("data", ProductSummary::read));
  }
}
