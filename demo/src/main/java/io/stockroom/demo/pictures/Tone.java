package io.stockroom.demo.pictures;

import java.util.Locale;

/** An RGB color, and the shades that make a flat shape look round. */
record Tone(int red, int green, int blue) {
  static final Tone WHITE = new Tone(255, 255, 255);
  static final Tone BLACK = new Tone(0, 0, 0);

  /** Reads six hexadecimal digits. */
  static Tone of(String hex) {
    int rgb = Integer.parseInt(hex, 16);
    return new Tone(rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff);
  }

  /** Mixes {@code share} (0 to 1) of another tone into this one. */
  Tone mix(Tone other, double share) {
    return new Tone(
        mix(red, other.red, share), mix(green, other.green, share), mix(blue, other.blue, share));
  }

  Tone lighter(double share) {
    return mix(WHITE, share);
  }

  Tone darker(double share) {
    return mix(BLACK, share);
  }

  /** The perceived brightness, from 0 (black) to 1 (white). */
  double brightness() {
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
  }

  String css() {
    return String.format(Locale.ROOT, "#%02x%02x%02x", red, green, blue);
  }

  private static int mix(int one, int other, double share) {
    return (int) Math.round(one + (other - one) * share);
  }
}
