package io.stockroom.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of archiving or restoring products.
 *
 * @param number the number of the last change in the log of changes; null if nothing changed
 * @param products the products, in the order of the request
 */
public record ArchiveReport(@Nullable Long number, List<Product> products) {
  /** Copies the list. */
  public ArchiveReport {
    products = List.copyOf(products);
  }

  /**
   * A product.
   *
   * @param pid the product's id
   * @param artNo the item number
   * @param changed false if it was already archived, or not archived
   */
  public record Product(int pid, String artNo, boolean changed) {}

  static ArchiveReport read(Fields fields) {
    return new ArchiveReport(
        fields.wholeOrNull("number"),
        fields.list(
            "products",
            product ->
                new Product(product.whole("pid"), product.text("artNo"), product.flag("changed"))));
  }
}
