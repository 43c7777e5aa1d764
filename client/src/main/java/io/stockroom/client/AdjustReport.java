package io.stockroom.client;

import io.stockroom.protocol.Size;
import java.util.List;

/**
 * The result of a successful adjustment.
 *
 * @param number the number of the last change in the log of changes
 * @param entries the adjusted entries, in the order of the request
 */
public record AdjustReport(long number, List<Entry> entries) {
  /** Copies the list. */
  public AdjustReport {
    entries = List.copyOf(entries);
  }

  /**
   * An adjusted entry.
   *
   * @param guid the entry's id
   * @param pid the product's id
   * @param color the color
   * @param size the size
   * @param before the quantity before
   * @param after the quantity after
   */
  public record Entry(String guid, int pid, String color, Size size, int before, int after) {}

  static AdjustReport read(Fields fields) {
    return new AdjustReport(fields.count("number"), fields.list("entries", AdjustReport::entry));
  }

  private static Entry entry(Fields fields) {
    return new Entry(
        fields.text("guid"),
        fields.whole("pid"),
        fields.text("color"),
        fields.size("size"),
        fields.whole("before"),
        fields.whole("after"));
  }
}
