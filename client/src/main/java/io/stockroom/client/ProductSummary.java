package io.stockroom.client;

/**
 * A product as the list shows it.
 *
 * @param id the product's id, which the other calls take
 * @param artNo the item number
 * @param pic the first picture; empty where there is none
 */
public record ProductSummary(int id, String artNo, String pic) {
  static ProductSummary read(Fields fields) {
    return new ProductSummary(fields.whole("id"), fields.text("artNo"), fields.text("pic"));
  }
}
