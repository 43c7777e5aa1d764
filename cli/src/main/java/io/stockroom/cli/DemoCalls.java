package io.stockroom.cli;

import io.stockroom.client.NotFoundException;
import io.stockroom.client.StockFilter;
import io.stockroom.client.StockroomClient;
import java.util.List;

/**
 * Makes the first calls of the demo's application, so usage, request log and health show data. They
 * use HTTP like all calls, only read, and count toward no limit.
 */
final class DemoCalls {
  private static final int PRODUCTS = 20;
  private static final int NOBODYS_PRODUCT = 999_999_999;

  private DemoCalls() {}

  static void make(StockroomClient client) {
    List<Integer> products =
        client.products().map(product -> product.id()).limit(PRODUCTS).toList();
    products.forEach(client::stock);
    client
        .products(StockFilter.WITHOUT_STOCK)
        .limit(1)
        .forEach(product -> client.stock(product.id()));
    try {
      client.stock(NOBODYS_PRODUCT);
    } catch (NotFoundException mistake) {
      // expected: it shows an error in the log
    }
  }
}
