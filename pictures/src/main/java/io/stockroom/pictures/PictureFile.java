package io.stockroom.pictures;

import io.stockroom.protocol.ErrorCode;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A picture's file, read but not decoded. Only what is needed to show the picture remains: its
 * metadata, such as the position of the camera, and whatever follows the picture are left out.
 *
 * @param orientation as EXIF has it: 1 is upright, 2 to 8 are turned or mirrored
 */
record PictureFile(PictureType type, int width, int height, int orientation, byte[] content) {
  private static final int HEAD_BYTES = 1024;

  /** What a reader of one format finds. */
  interface Reader {
    PictureFile read(byte[] bytes) throws Damaged;
  }

  /** The bytes are not what the format demands. */
  static final class Damaged extends Exception {
    private static final long serialVersionUID = 1;

    Damaged(String reason) {
      super(reason, null, false, false);
    }
  }

  /** Recognizes the format by the content; the name of a file says nothing. */
  static PictureFile read(byte[] bytes, long maxPixels) throws PictureRejection {
    Reader reader = reader(bytes);
    if (reader == null) {
      String known = unsupported(bytes);
      throw known == null
          ? new PictureRejection(ErrorCode.PICTURE_FORMAT)
          : new PictureRejection(ErrorCode.PICTURE_UNSUPPORTED, known);
    }
    PictureFile file;
    try {
      file = reader.read(bytes);
    } catch (Damaged
        | BufferUnderflowException
        | IndexOutOfBoundsException
        | IllegalArgumentException damaged) {
      throw new PictureRejection(ErrorCode.PICTURE_DAMAGED);
    }
    if (file.width < 1 || file.height < 1) {
      throw new PictureRejection(ErrorCode.PICTURE_DAMAGED);
    }
    if ((long) file.width * file.height > maxPixels) {
      throw new PictureRejection(
          ErrorCode.PICTURE_PIXELS, file.width, file.height, maxPixels / 1_000_000);
    }
    return file;
  }

  private static @Nullable Reader reader(byte[] bytes) {
    if (starts(bytes, 0, "\u00ff\u00d8\u00ff")) {
      return JpegFile::read;
    }
    if (starts(bytes, 0, "\u0089PNG\r\n\u001a\n")) {
      return PngFile::read;
    }
    if (starts(bytes, 0, "GIF87a") || starts(bytes, 0, "GIF89a")) {
      return GifFile::read;
    }
    return starts(bytes, 0, "RIFF") && starts(bytes, 8, "WEBP") ? WebpFile::read : null;
  }

  /** The name of a picture format that people might choose, and that no decoder is here for. */
  private static @Nullable String unsupported(byte[] bytes) {
    if (starts(bytes, 4, "ftypavif") || starts(bytes, 4, "ftypavis")) {
      return "AVIF";
    }
    if (starts(bytes, 4, "ftyphei") || starts(bytes, 4, "ftypmif1")) {
      return "HEIC";
    }
    if (starts(bytes, 0, "BM")) {
      return "BMP";
    }
    if (starts(bytes, 0, "II*\0") || starts(bytes, 0, "MM\0*")) {
      return "TIFF";
    }
    String head =
        new String(bytes, 0, Math.min(bytes.length, HEAD_BYTES), StandardCharsets.ISO_8859_1);
    return head.toLowerCase(Locale.ROOT).contains("<svg") ? "SVG" : null;
  }

  private static boolean starts(byte[] bytes, int at, String text) {
    byte[] expected = text.getBytes(StandardCharsets.ISO_8859_1);
    return bytes.length >= at + expected.length
        && Arrays.equals(bytes, at, at + expected.length, expected, 0, expected.length);
  }
}
