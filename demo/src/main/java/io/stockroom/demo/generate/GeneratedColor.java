package io.stockroom.demo.generate;

import java.util.ArrayList;
import java.util.List;

/** The colors of generated products: a name, and a hex value for pictures. */
record GeneratedColor(String name, String hex) {
  private static final List<GeneratedColor> PLAIN =
      List.of(
          new GeneratedColor("黑色", "1d1d1f"),
          new GeneratedColor("白色", "f3f1ec"),
          new GeneratedColor("棕色", "7a4a2b"),
          new GeneratedColor("红色", "b3263a"),
          new GeneratedColor("米色", "d8b98a"),
          new GeneratedColor("灰色", "8b8f96"),
          new GeneratedColor("蓝色", "2f5d9a"),
          new GeneratedColor("绿色", "5c6b4a"),
          new GeneratedColor("粉色", "e8a5b0"),
          new GeneratedColor("酒红色", "6d1f2c"));

  /** The first {@code count} colors; from the eleventh on, a number distinguishes the shades. */
  static List<GeneratedColor> first(int count) {
    List<GeneratedColor> dyes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      GeneratedColor plain = PLAIN.get(i % PLAIN.size());
      int shade = i / PLAIN.size() + 1;
      dyes.add(shade == 1 ? plain : new GeneratedColor(plain.name + shade, plain.hex));
    }
    return dyes;
  }
}
