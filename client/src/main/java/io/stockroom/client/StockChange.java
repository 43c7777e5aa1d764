package io.stockroom.client;

import io.stockroom.protocol.Size;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of a product's stock.
 *
 * @param number the number of the change
 * @param at when it was made
 * @param pid the product's id
 * @param artNo the product's item number
 * @param source who made it
 * @param batch the id that all changes written together share
 * @param entries the entries that changed, with their new quantities
 */
public record StockChange(
    long number,
    Instant at,
    int pid,
    String artNo,
    String source,
    String batch,
    List<Entry> entries)
    implements Change {
  /** Copies the list. */
  public StockChange {
    entries = List.copyOf(entries);
  }

  /**
   * One changed entry. Quantities are absolute, so that applying a change twice does no harm.
   *
   * @param guid the entry's id, which never changes; null if the entry no longer exists
   * @param barCode its barcode after the change; null if it has none
   * @param color the color's name
   * @param size the size
   * @param before the quantity before; null if the entry is new
   * @param after the quantity after; null if the entry was removed
   */
  public record Entry(
      @Nullable String guid,
      @Nullable String barCode,
      String color,
      Size size,
      @Nullable Integer before,
      @Nullable Integer after) {}

  static StockChange read(Fields fields) {
    return new StockChange(
        fields.count("number"),
        fields.instant("at"),
        fields.whole("pid"),
        fields.text("artNo"),
        fields.text("source"),
        fields.text("batch"),
        fields.list("entries", StockChange::entry));
  }

  private static Entry entry(Fields fields) {
    return new Entry(
        fields.textOrNull("guid"),
        fields.textOrNull("barCode"),
        fields.text("color"),
        fields.size("size"),
        fields.intOrNull("before"),
        fields.intOrNull("after"));
  }
}
