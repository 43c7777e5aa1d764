package io.stockroom.demo.generate;

import java.util.ArrayList;
import java.util.List;

/** The colors of generated products: a name, and a hex value for pictures. */
record Dye(String name, String hex) {
  private static final List<Dye> PLAIN =
      List.of(
          new Dye("黑色", "1d1d1f"),
          new Dye("白色", "f3f1ec"),
          new Dye("棕色", "7a4a2b"),
          new Dye("红色", "b3263a"),
          new Dye("米色", "d8b98a"),
          new Dye("灰色", "8b8f96"),
          new Dye("蓝色", "2f5d9a"),
          new Dye("绿色", "5c6b4a"),
          new Dye("粉色", "e8a5b0"),
          new Dye("酒红色", "6d1f2c"));

  /** The first {@code count} colors; from the eleventh on, a number distinguishes the shades. */
  static List<Dye> first(int count) {
    List<Dye> dyes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Dye plain = PLAIN.get(i % PLAIN.size());
      int shade = i / PLAIN.size() + 1;
      dyes.add(shade == 1 ? plain : new Dye(plain.name + shade, plain.hex));
    }
    return dyes;
  }
}
