package io.stockroom.client;

import org.jspecify.annotations.Nullable;

/**
 * A picture that the server has stored.
 *
 * @param number the number of the change in the log of changes; null if no product changed
 * @param address where everybody finds it
 * @param sha256 of the stored bytes, which have no metadata, in hexadecimal digits
 * @param width in pixels
 * @param height in pixels
 */
public record StoredPicture(
    @Nullable Long number, String address, String sha256, int width, int height) {
  static StoredPicture read(Fields fields) {
    return new StoredPicture(
        fields.wholeOrNull("number"),
        fields.text("address"),
        fields.text("sha256"),
        fields.whole("width"),
        fields.whole("height"));
  }
}
