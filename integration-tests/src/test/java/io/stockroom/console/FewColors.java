package io.stockroom.console;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.util.HashMap;
import java.util.Map;

/**
 * Reduces a picture to a palette of at most 256 colors: a third of the size, with hardly visible
 * differences.
 */
final class FewColors {
  private static final int MAX_COLORS = 256;

  private FewColors() {}

  /** Replaces similar colors with their mean, more coarsely until all fit. */
  static BufferedImage of(BufferedImage image) {
    for (int bits = 0; ; bits++) {
      int mask = 0x010101 * (0xFF & (0xFF << bits));
      Map<Integer, long[]> sums = sums(image, mask);
      if (sums.size() <= MAX_COLORS) {
        return drawn(image, mask, sums);
      }
    }
  }

  /** For each group of colors, the sums of red, green and blue, and the number of pixels. */
  private static Map<Integer, long[]> sums(BufferedImage image, int mask) {
    Map<Integer, long[]> sums = new HashMap<>();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        int color = image.getRGB(x, y);
        long[] sum = sums.computeIfAbsent(color & mask, _ -> new long[4]);
        sum[0] += color >> 16 & 0xFF;
        sum[1] += color >> 8 & 0xFF;
        sum[2] += color & 0xFF;
        sum[3]++;
      }
    }
    return sums;
  }

  private static BufferedImage drawn(BufferedImage image, int mask, Map<Integer, long[]> sums) {
    byte[][] palette = new byte[3][sums.size()];
    Map<Integer, Integer> places = new HashMap<>();
    sums.forEach(
        (near, sum) -> {
          int place = places.size();
          for (int channel = 0; channel < 3; channel++) {
            palette[channel][place] = (byte) (sum[channel] / sum[3]);
          }
          places.put(near, place);
        });
    IndexColorModel model = new IndexColorModel(8, sums.size(), palette[0], palette[1], palette[2]);
    BufferedImage drawn =
        new BufferedImage(
            image.getWidth(), image.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, model);
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        Integer place = places.get(image.getRGB(x, y) & mask);
        drawn.getRaster().setSample(x, y, 0, place == null ? 0 : place);
      }
    }
    return drawn;
  }
}
