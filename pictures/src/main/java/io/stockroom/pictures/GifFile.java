package io.stockroom.pictures;

import io.stockroom.pictures.PictureFile.Damaged;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the blocks of a GIF file, without comments and texts; an animation remains one. */
final class GifFile {
  private static final int HEAD_BYTES = 13;
  private static final int FRAME_BYTES = 10;
  private static final int EXTENSION = 0x21;
  private static final int FRAME = 0x2C;
  private static final int END = 0x3B;
  private static final int CONTROL = 0xF9;
  private static final int APPLICATION = 0xFF;

  private final byte[] bytes;
  private final ByteBuffer in;
  private final ByteArrayOutputStream out;
  private int frames;

  private GifFile(byte[] bytes) {
    this.bytes = bytes;
    this.in = ByteBuffer.wrap(bytes);
    this.out = new ByteArrayOutputStream(bytes.length);
  }

  static PictureFile read(byte[] bytes) throws Damaged {
    return new GifFile(bytes).read();
  }

  private PictureFile read() throws Damaged {
    int width = u16(6);
    int height = u16(8);
    in.position(HEAD_BYTES + tableBytes(in.get(10)));
    copy(0);
    for (int kind = in.get() & 0xFF; kind != END; kind = in.get() & 0xFF) {
      int begin = in.position() - 1;
      if (kind == FRAME) {
        frame(begin, width, height);
        copy(begin);
      } else if (kind == EXTENSION) {
        if (isNeeded(extension())) {
          copy(begin);
        }
      } else {
        throw new Damaged("unknown block");
      }
    }
    out.write(END);
    if (frames == 0) {
      throw new Damaged("without a frame");
    }
    return new PictureFile(PictureType.GIF, width, height, 1, out.toByteArray());
  }

  private void frame(int begin, int width, int height) throws Damaged {
    if (u16(begin + 1) + u16(begin + 5) > width || u16(begin + 3) + u16(begin + 7) > height) {
      throw new Damaged("larger than the picture");
    }
    in.position(begin + FRAME_BYTES + tableBytes(in.get(begin + 9)) + 1);
    skipBlocks();
    frames++;
  }

  /** What kind of extension it is: its label, or 0 for an application without use. */
  private int extension() {
    int label = in.get() & 0xFF;
    int length = in.get(in.position()) & 0xFF;
    String name =
        StandardCharsets.ISO_8859_1.decode(in.slice(in.position() + 1, length)).toString();
    skipBlocks();
    boolean isLoop = name.equals("NETSCAPE2.0") || name.equals("ANIMEXTS1.0");
    return label == APPLICATION && !isLoop ? 0 : label;
  }

  private static boolean isNeeded(int label) {
    return label == CONTROL || label == APPLICATION;
  }

  private void skipBlocks() {
    for (int length = in.get() & 0xFF; length > 0; length = in.get() & 0xFF) {
      in.position(in.position() + length);
    }
  }

  private static int tableBytes(byte flags) {
    return (flags & 0x80) == 0 ? 0 : 3 << ((flags & 7) + 1);
  }

  private int u16(int at) {
    return (in.get(at) & 0xFF) | ((in.get(at + 1) & 0xFF) << 8);
  }

  private void copy(int begin) {
    out.write(bytes, begin, in.position() - begin);
  }
}
