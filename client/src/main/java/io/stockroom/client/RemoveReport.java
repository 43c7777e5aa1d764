package io.stockroom.client;

import io.stockroom.protocol.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of removing stock entries.
 *
 * @param number the number of the last change in the log of changes
 * @param entries the removed entries
 */
public record RemoveReport(long number, List<Entry> entries) {
  /** Copies the list. */
  public RemoveReport {
    entries = List.copyOf(entries);
  }

  /**
   * A removed entry.
   *
   * @param guid the entry's id, which it has again if it is added again
   * @param pid the product's id
   * @param color the color
   * @param size the size
   * @param barCode the barcode that it had, or null
   * @param before the quantity that it had
   */
  public record Entry(
      String guid, int pid, String color, Size size, @Nullable String barCode, int before) {}

  static RemoveReport read(Fields fields) {
    return new RemoveReport(fields.count("number"), fields.list("entries", RemoveReport::entry));
  }

  private static Entry entry(Fields fields) {
    return new Entry(
        fields.text("guid"),
        fields.whole("pid"),
        fields.text("color"),
        fields.size("size"),
        fields.textOrNull("barCode"),
        fields.whole("before"));
  }
}
