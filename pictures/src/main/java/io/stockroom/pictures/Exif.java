package io.stockroom.pictures;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads the orientation of the camera, the only metadata that matters. */
final class Exif {
  private static final int ORIENTATION = 0x0112;

  private Exif() {}

  /** 1 if the metadata does not say, or is damaged: a picture can be shown without it. */
  static int orientation(ByteBuffer tiff) {
    try {
      tiff.order(tiff.get(0) == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
      int at = tiff.getInt(4);
      int entries = tiff.getShort(at) & 0xFFFF;
      for (int i = 0; i < entries; i++) {
        int entry = at + 2 + 12 * i;
        if ((tiff.getShort(entry) & 0xFFFF) == ORIENTATION) {
          int value = tiff.getShort(entry + 8);
          return value >= 1 && value <= 8 ? value : 1;
        }
      }
    } catch (IndexOutOfBoundsException | BufferUnderflowException damaged) {
      return 1;
    }
    return 1;
  }
}
