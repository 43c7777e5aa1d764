package io.stockroom.client;

import java.time.Instant;
import java.util.List;

/**
 * A new product, or a change of a product's fields. It names the fields, not their values.
 *
 * @param number the number of the change
 * @param at when it was made
 * @param pid the product's id
 * @param artNo the product's item number
 * @param source who made it
 * @param batch the id that all changes written together share
 * @param created whether the product is new
 * @param fields the names of the changed fields, such as {@code title} and {@code price}
 */
public record ProductChange(
    long number,
    Instant at,
    int pid,
    String artNo,
    String source,
    String batch,
    boolean created,
    List<String> fields)
    implements Change {
  /** Copies the list. */
  public ProductChange {
    fields = List.copyOf(fields);
  }

  static ProductChange read(Fields fields) {
    return new ProductChange(
        fields.count("number"),
        fields.instant("at"),
        fields.whole("pid"),
        fields.text("artNo"),
        fields.text("source"),
        fields.text("batch"),
        fields.flag("created"),
        fields.texts("fields"));
  }
}
