package io.stockroom.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of saving products.
 *
 * @param number the number of the last change in the log of changes; null if nothing changed
 * @param products the products, in the order of the request
 */
public record SaveReport(@Nullable Long number, List<Product> products) {
  /** Copies the list. */
  public SaveReport {
    products = List.copyOf(products);
  }

  /**
   * A saved product.
   *
   * @param pid the product's id
   * @param artNo the item number
   * @param created whether it is new
   * @param fields which fields of an existing product changed
   * @param removed what the server removed from the description, such as {@code <script>}
   */
  public record Product(
      int pid, String artNo, boolean created, List<String> fields, List<String> removed) {
    /** Copies the lists. */
    public Product {
      fields = List.copyOf(fields);
      removed = List.copyOf(removed);
    }
  }

  static SaveReport read(Fields fields) {
    return new SaveReport(
        fields.wholeOrNull("number"), fields.list("products", SaveReport::product));
  }

  private static Product product(Fields fields) {
    return new Product(
        fields.whole("pid"),
        fields.text("artNo"),
        fields.flag("created"),
        fields.texts("fields"),
        fields.texts("removed"));
  }
}
