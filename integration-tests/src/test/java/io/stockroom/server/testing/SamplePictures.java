package io.stockroom.server.testing;

import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;

/** Files of pictures to upload. */
public final class SamplePictures {
  private static final int AFTER_HEADER = 33;
  private static final int CHUNK_BYTES = 12;

  private SamplePictures() {}

  /** A PNG; each color is a different picture. */
  public static byte[] png(Color color) {
    BufferedImage image = new BufferedImage(240, 240, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setPaint(new GradientPaint(0, 0, color, 240, 240, Color.WHITE));
    graphics.fillRect(0, 0, 240, 240);
    graphics.dispose();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      if (!ImageIO.write(image, "png", out)) {
        throw new IllegalStateException("cannot write PNG");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** A PNG of exactly so many bytes, by a long comment. */
  public static byte[] png(Color color, int bytes) {
    byte[] png = png(color);
    byte[] chunk = new byte[bytes - png.length];
    int length = chunk.length - CHUNK_BYTES;
    ByteBuffer comment = ByteBuffer.wrap(chunk);
    comment.putInt(length).put("tEXt".getBytes(StandardCharsets.US_ASCII));
    CRC32 checksum = new CRC32();
    checksum.update(chunk, 4, length + 4);
    comment.putInt(length + 8, (int) checksum.getValue());
    return ByteBuffer.allocate(bytes)
        .put(png, 0, AFTER_HEADER)
        .put(chunk)
        .put(png, AFTER_HEADER, png.length - AFTER_HEADER)
        .array();
  }
}
