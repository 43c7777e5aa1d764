package io.stockroom.demo;

import java.util.Locale;

/** The kinds of shoe. There are drawings of each in {@code demo/pictures}. */
public enum Silhouette {
  SNEAKER,
  HIGH_TOP,
  BOOT,
  OXFORD,
  LOAFER,
  PUMP,
  FLAT,
  SANDAL,
  SLIDE;

  /** The name of a drawing, such as {@code high-top-navy}. */
  public String drawing(String shown) {
    return name().toLowerCase(Locale.ROOT).replace('_', '-') + '-' + shown;
  }
}
