package io.stockroom.pictures;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The path of a picture: {@code /pictures/7/<sha256>.jpg}, or {@code /pictures/7/<sha256>-400.jpg}
 * for its thumbnail. A thumbnail has the extension of its picture, whatever its own format is.
 *
 * @param sha256 in hexadecimal
 * @param size of the thumbnail; 0: the picture itself
 */
record PictureAddress(int merchantId, String sha256, int size, PictureType type) {
  static final String FOLDER = "/pictures";

  private static final Pattern PATH =
      Pattern.compile(
          FOLDER
              + "/(?<merchant>[1-9][0-9]{0,8})/(?<sha256>[0-9a-f]{64})"
              + "(-(?<size>80|400|1200))?\\.(?<extension>jpg|png|webp|gif)");

  static @Nullable PictureAddress parse(String path) {
    Matcher found = PATH.matcher(path);
    if (!found.matches()) {
      return null;
    }
    PictureType type = PictureType.ofExtension(found.group("extension"));
    String size = found.group("size");
    return type == null
        ? null
        : new PictureAddress(
            Integer.parseInt(found.group("merchant")),
            found.group("sha256"),
            size == null ? 0 : Integer.parseInt(size),
            type);
  }

  PictureAddress thumbnail(int size) {
    return new PictureAddress(merchantId, sha256, size, type);
  }

  String path() {
    return FOLDER + "/" + key();
  }

  /** The name in a store of objects. */
  String key() {
    return "%d/%s%s.%s"
        .formatted(merchantId, sha256, size == 0 ? "" : "-" + size, type.extension());
  }
}
