package io.stockroom.core.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses answers for clients that accept gzip. It compresses into memory, not onto the
 * connection: a client that reads slowly then holds no compressor.
 */
final class Compression {
  /** Smaller answers fit into one packet. */
  static final int MIN_BYTES = 1025;

  private static final String GZIP = "gzip";

  private Compression() {}

  static byte[] gzip(byte[] body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length / 4 + 64);
    try (GZIPOutputStream out = new Fast(bytes)) {
      out.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  /** JSON is repetitive: the fastest level already saves most of it. */
  private static final class Fast extends GZIPOutputStream {
    private Fast(ByteArrayOutputStream out) throws IOException {
      super(out, 4096);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  /** Whether {@code Accept-Encoding} allows gzip and does not prefer identity. */
  static boolean isAccepted(List<String> acceptEncoding) {
    double gzip = -1;
    double identity = 0;
    double any = 0;
    for (String line : acceptEncoding) {
      for (String part : line.toLowerCase(Locale.ROOT).split(",", -1)) {
        int end = part.indexOf(';');
        String name = (end < 0 ? part : part.substring(0, end)).strip();
        double weight = end < 0 ? 1 : weight(part.substring(end + 1));
        switch (name) {
          case GZIP, "x-gzip" -> gzip = Math.max(gzip, weight);
          case "identity" -> identity = weight;
          case "*" -> any = weight;
          default -> {
            // not supported
          }
        }
      }
    }
    double wanted = gzip < 0 ? any : gzip;
    return wanted > 0 && wanted >= identity;
  }

  /** An unreadable weight counts as 0: an uncompressed answer is never wrong. */
  private static double weight(String parameter) {
    String text = parameter.replace(" ", "").replace("\t", "");
    return text.matches("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)")
        ? Double.parseDouble(text.substring(2))
        : 0;
  }
}
