package io.stockroom.pictures;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Files of pictures for tests. */
final class TestPictures {
  private TestPictures() {}

  /** The left half is red, the right half blue. */
  static BufferedImage image(int width, int height, int type) {
    BufferedImage image = new BufferedImage(width, height, type);
    Graphics2D graphics = image.createGraphics();
    graphics.setColor(Color.RED);
    graphics.fillRect(0, 0, width / 2, height);
    graphics.setColor(Color.BLUE);
    graphics.fillRect(width / 2, 0, width - width / 2, height);
    graphics.dispose();
    return image;
  }

  static byte[] encoded(BufferedImage image, String format) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      if (!ImageIO.write(image, format, out)) {
        throw new IllegalStateException("cannot write " + format);
      }
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    return out.toByteArray();
  }

  static byte[] jpeg(int width, int height) {
    return encoded(image(width, height, BufferedImage.TYPE_INT_RGB), "jpeg");
  }

  static byte[] png(int width, int height) {
    return encoded(image(width, height, BufferedImage.TYPE_INT_ARGB), "png");
  }

  /** A JPEG with EXIF: an orientation, and a text that stands for the position of the camera. */
  static byte[] photo(int width, int height, int orientation) {
    byte[] jpeg = jpeg(width, height);
    byte[] secret = "GPS 27.99 N 120.70 E".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer exif = ByteBuffer.allocate(4 + 6 + 8 + 2 + 12 + 4 + secret.length);
    exif.putShort((short) 0xFFE1).putShort((short) (exif.capacity() - 2));
    exif.put("Exif\0\0".getBytes(StandardCharsets.US_ASCII));
    exif.put("MM\0*".getBytes(StandardCharsets.US_ASCII)).putInt(8);
    exif.putShort((short) 1);
    exif.putShort((short) 0x0112).putShort((short) 3).putInt(1);
    exif.putShort((short) orientation).putShort((short) 0);
    exif.putInt(0).put(secret);
    return ByteBuffer.allocate(jpeg.length + exif.capacity())
        .put(jpeg, 0, 2)
        .put(exif.array())
        .put(jpeg, 2, jpeg.length - 2)
        .array();
  }

  /** A red JPEG in CMYK, as programs for printing write it. */
  static byte[] printed(int width, int height) {
    WritableRaster raster =
        Raster.createInterleavedRaster(DataBuffer.TYPE_BYTE, width, height, 4, null);
    // inverted: no cyan, all magenta, all yellow, no black
    int[] red = {255, 0, 0, 255};
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        raster.setPixel(x, y, red);
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    try (MemoryCacheImageOutputStream stream = new MemoryCacheImageOutputStream(out)) {
      writer.setOutput(stream);
      writer.write(null, new IIOImage(raster, null, null), null);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    byte[] jpeg = out.toByteArray();
    byte[] adobe = "\u00ff\u00ee\0\u000eAdobe\0d\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);
    return ByteBuffer.allocate(jpeg.length + adobe.length)
        .put(jpeg, 0, 2)
        .put(adobe)
        .put(jpeg, 2, jpeg.length - 2)
        .array();
  }

  /** A small PNG that says it is this large. */
  static byte[] bomb(int width, int height) {
    byte[] png = png(8, 8);
    ByteBuffer header = ByteBuffer.wrap(png);
    header.putInt(16, width).putInt(20, height);
    CRC32 checksum = new CRC32();
    checksum.update(png, 12, 17);
    header.putInt(29, (int) checksum.getValue());
    return png;
  }
}
