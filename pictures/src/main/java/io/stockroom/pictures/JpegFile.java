package io.stockroom.pictures;

import io.stockroom.pictures.PictureFile.Damaged;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the segments of a JPEG file, without EXIF, XMP, comments and embedded previews. */
final class JpegFile {
  private static final int START = 0xD8;
  private static final int END = 0xD9;
  private static final int SCAN = 0xDA;
  private static final int JFIF = 0xE0;
  private static final int EXIF = 0xE1;
  private static final int PROFILE = 0xE2;
  private static final int ADOBE = 0xEE;
  private static final int COMMENT = 0xFE;

  /** A progressive picture of a camera or a program has about ten; each costs a pass. */
  private static final int MAX_SCANS = 64;

  private final byte[] bytes;
  private final ByteBuffer in;
  private final ByteArrayOutputStream out;
  private int width;
  private int height;
  private int orientation = 1;
  private int scans;

  private JpegFile(byte[] bytes) {
    this.bytes = bytes;
    this.in = ByteBuffer.wrap(bytes);
    this.out = new ByteArrayOutputStream(bytes.length);
  }

  static PictureFile read(byte[] bytes) throws Damaged {
    return new JpegFile(bytes).read();
  }

  private PictureFile read() throws Damaged {
    in.position(2);
    put(START);
    for (int marker = marker(); marker != END; marker = marker()) {
      segment(marker);
      if (marker == SCAN) {
        scan();
      }
    }
    put(END);
    if (scans == 0) {
      throw new Damaged("without a scan");
    }
    return new PictureFile(PictureType.JPEG, width, height, orientation, out.toByteArray());
  }

  private int marker() throws Damaged {
    if (u8() != 0xFF) {
      throw new Damaged("no marker");
    }
    int marker = u8();
    while (marker == 0xFF) {
      marker = u8();
    }
    return marker;
  }

  private void segment(int marker) throws Damaged {
    int length = in.getShort(in.position()) & 0xFFFF;
    if (length < 2) {
      throw new Damaged("too short");
    }
    byte[] content = new byte[length];
    in.get(content);
    if (isFrame(marker)) {
      frame(ByteBuffer.wrap(content));
    } else if (marker == EXIF && starts(content, "Exif\0\0")) {
      orientation = Exif.orientation(ByteBuffer.wrap(content, 8, length - 8).slice());
    } else if (marker == SCAN && (++scans > MAX_SCANS || width == 0)) {
      throw new Damaged("scans");
    }
    if (isNeeded(marker, content)) {
      put(marker);
      out.write(content, 0, length);
    }
  }

  private static boolean isFrame(int marker) {
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
  }

  private void frame(ByteBuffer content) throws Damaged {
    if (width != 0) {
      throw new Damaged("two frames");
    }
    height = content.getShort(3) & 0xFFFF;
    width = content.getShort(5) & 0xFFFF;
  }

  private static boolean isNeeded(int marker, byte[] content) {
    return switch (marker) {
      case JFIF -> starts(content, "JFIF\0");
      case PROFILE -> starts(content, "ICC_PROFILE\0");
      case ADOBE -> starts(content, "Adobe");
      case COMMENT -> false;
      default -> marker < JFIF || marker > 0xEF;
    };
  }

  /** Whether the text follows the two bytes of the length. */
  private static boolean starts(byte[] content, String text) {
    byte[] expected = text.getBytes(StandardCharsets.ISO_8859_1);
    return content.length >= 2 + expected.length
        && ByteBuffer.wrap(content, 2, expected.length).equals(ByteBuffer.wrap(expected));
  }

  /** Copies the coded pixels, up to the next marker. */
  private void scan() {
    int begin = in.position();
    while (true) {
      if (in.get() == (byte) 0xFF) {
        int next = in.get(in.position()) & 0xFF;
        boolean isData = next == 0 || (next >= 0xD0 && next <= 0xD7);
        if (!isData && next != 0xFF) {
          break;
        }
      }
    }
    in.position(in.position() - 1);
    out.write(bytes, begin, in.position() - begin);
  }

  private void put(int marker) {
    out.write(0xFF);
    out.write(marker);
  }

  private int u8() {
    return in.get() & 0xFF;
  }
}
