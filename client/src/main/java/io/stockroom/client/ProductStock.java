package io.stockroom.client;

import java.util.List;

/**
 * The stock of one product.
 *
 * @param pid the product's id
 * @param artNo the product's item number
 * @param entries its stock entries
 */
public record ProductStock(int pid, String artNo, List<StockEntry> entries) {
  /** Copies the list. */
  public ProductStock {
    entries = List.copyOf(entries);
  }

  static ProductStock read(Fields fields) {
    return new ProductStock(
        fields.whole("pid"), fields.text("artNo"), fields.list("entries", StockEntry::read));
  }
}
