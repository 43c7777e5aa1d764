package io.stockroom.client;

import io.stockroom.protocol.Size;
import org.jspecify.annotations.Nullable;

/**
 * The quantity of one color and size of a product.
 *
 * @param guid 32 hexadecimal characters; never changes
 * @param barCode the barcode; null if none was set
 * @param color the color's name
 * @param size the size
 * @param stock the quantity
 */
public record StockEntry(
    String guid, @Nullable String barCode, String color, Size size, int stock) {
  static StockEntry read(Fields fields) {
    return new StockEntry(
        fields.text("guid"),
        fields.textOrNull("barCode"),
        fields.text("color"),
        fields.size("size"),
        fields.whole("stock"));
  }
}
