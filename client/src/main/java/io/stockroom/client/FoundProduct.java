package io.stockroom.client;

/**
 * A product that a search found.
 *
 * @param pid the product's id
 * @param artNo the item number
 * @param title the title
 * @param status its stock: {@code in-stock}, {@code low}, {@code sold-out} or {@code none-yet}
 */
public record FoundProduct(int pid, String artNo, String title, String status) {
  static FoundProduct read(Fields fields) {
    return new FoundProduct(
        fields.whole("pid"), fields.text("artNo"), fields.text("title"), fields.text("status"));
  }
}
