package io.stockroom.pictures;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The file formats of stored pictures. */
public enum PictureType {
  JPEG("jpg"),
  PNG("png"),
  WEBP("webp"),
  GIF("gif");

  private final String extension;

  PictureType(String extension) {
    this.extension = extension;
  }

  /** The end of a file's name, without the dot. */
  public String extension() {
    return extension;
  }

  /** As in {@code image/jpeg}. */
  public String mediaType() {
    return "image/" + word();
  }

  /** The name in the database, and of the decoder. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static PictureType ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  static @Nullable PictureType ofExtension(String extension) {
    return Arrays.stream(values())
        .filter(type -> type.extension.equals(extension))
        .findFirst()
        .orElse(null);
  }
}
