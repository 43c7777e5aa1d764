package io.stockroom.client;

/**
 * A product in the product list.
 *
 * @param id the product's id, for use in other calls
 * @param artNo the item number
 * @param pic the first picture; empty if there is none
 */
public record ProductSummary(int id, String artNo, String pic) {
  static ProductSummary read(Fields fields) {
    return new ProductSummary(fields.whole("id"), fields.text("artNo"), fields.text("pic"));
  }
}
