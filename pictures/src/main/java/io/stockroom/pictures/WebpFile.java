package io.stockroom.pictures;

import io.stockroom.pictures.PictureFile.Damaged;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads the chunks of a WebP file, without EXIF, XMP and unknown ones; an animation remains one.
 */
final class WebpFile {
  private static final int HEAD_BYTES = 12;
  private static final int FRAME_HEAD_BYTES = 16;
  private static final int EXIF_AND_XMP = 0b1100;

  /** A copy, because flags are cleared in it. */
  private final byte[] bytes;

  private final ByteBuffer in;
  private final ByteArrayOutputStream out;
  private int width;
  private int height;
  private int orientation = 1;
  private boolean hasPixels;

  private WebpFile(byte[] bytes) {
    this.bytes = bytes;
    this.in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    this.out = new ByteArrayOutputStream(bytes.length);
  }

  static PictureFile read(byte[] bytes) throws Damaged {
    return new WebpFile(bytes.clone()).read();
  }

  private PictureFile read() throws Damaged {
    long end = 8L + (in.getInt(4) & 0xFFFFFFFFL);
    if (end > in.limit()) {
      throw new Damaged("cut off");
    }
    out.write(bytes, 0, HEAD_BYTES);
    chunks(HEAD_BYTES, (int) end, true);
    if (!hasPixels) {
      throw new Damaged("without pixels");
    }
    byte[] content = out.toByteArray();
    ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).putInt(4, content.length - 8);
    return new PictureFile(PictureType.WEBP, width, height, orientation, content);
  }

  /** Reads chunks side by side; those inside a frame are copied with it. */
  private void chunks(int begin, int end, boolean isTop) throws Damaged {
    int at = begin;
    while (end - at >= 8) {
      String name = StandardCharsets.ISO_8859_1.decode(in.slice(at, 4)).toString();
      int length = in.getInt(at + 4);
      if (length < 0 || length > end - at - 8) {
        throw new Damaged("cut off");
      }
      boolean isNeeded = chunk(name, at + 8, length);
      int next = Math.min(end, at + 8 + length + (length & 1));
      if (isTop && isNeeded) {
        out.write(bytes, at, next - at);
      }
      at = next;
    }
  }

  /** Whether the chunk is needed to show the picture. */
  private boolean chunk(String name, int at, int length) throws Damaged {
    switch (name) {
      case "VP8X" -> {
        size((in.getInt(at + 3) >>> 8) + 1, (in.getInt(at + 6) >>> 8) + 1);
        in.put(at, (byte) (in.get(at) & ~EXIF_AND_XMP));
      }
      case "VP8 " -> {
        size(in.getShort(at + 6) & 0x3FFF, in.getShort(at + 8) & 0x3FFF);
        hasPixels = true;
      }
      case "VP8L" -> {
        int bits = in.getInt(at + 1);
        size((bits & 0x3FFF) + 1, ((bits >>> 14) & 0x3FFF) + 1);
        hasPixels = true;
      }
      case "ANMF" -> chunks(at + FRAME_HEAD_BYTES, at + length, false);
      case "EXIF" -> {
        orientation = orientation(at, length);
        return false;
      }
      case "ALPH", "ANIM", "ICCP" -> {}
      default -> {
        return false;
      }
    }
    return true;
  }

  /** The first size is the picture's; a frame may be smaller, and nothing larger. */
  private void size(int wide, int high) throws Damaged {
    if (width == 0) {
      width = wide;
      height = high;
    } else if (wide > width || high > height) {
      throw new Damaged("larger than the picture");
    }
  }

  /** Some programs write the six bytes of JPEG's EXIF in front. */
  private int orientation(int at, int length) {
    int head = length > 6 && in.get(at) == 'E' ? 6 : 0;
    return Exif.orientation(in.slice(at + head, length - head));
  }
}
