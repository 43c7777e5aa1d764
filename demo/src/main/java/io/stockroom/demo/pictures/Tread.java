package io.stockroom.demo.pictures;

/**
 * The underside of a shoe: its outline around 0, its heel, and one 40 by 40 tile of its pattern.
 */
enum Tread {
  WAVES("M-10 20 Q0 6 10 20 T30 20 T50 20 M-10 40 Q0 26 10 40 T30 40 T50 40", 5, false),
  DIAMONDS("M20 2 L38 20 L20 38 L2 20 Z M20 14 L26 20 L20 26 L14 20 Z", 4, false),
  LUGS("M4 6 L20 16 L36 6 M4 26 L20 36 L36 26", 8, false),
  LEATHER("M0 20 L40 20", 0.6, false),
  HEEL("M0 10 L40 10 M0 30 L40 30", 0.8, true),
  DOTS("M10 10 l0.1 0 M30 30 l0.1 0 M10 30 l0.1 0 M30 10 l0.1 0", 9, false);

  final String tile;
  final double strokeWidth;
  final String outline;
  final String heel;

  Tread(String tile, double strokeWidth, boolean pointed) {
    this.tile = tile;
    this.strokeWidth = strokeWidth;
    outline =
        pointed
            ? """
              M4 -282 C30 -240 76 -190 80 -120 C82 -60 46 -6 30 60 C24 100 30 130 38 170 \
              C44 226 36 256 4 258 C-30 256 -38 226 -34 170 C-30 120 -24 90 -32 50 \
              C-46 -10 -74 -60 -72 -124 C-68 -190 -24 -240 4 -282 Z"""
            : """
              M0 -262 C58 -262 92 -200 94 -120 C96 -60 70 -10 66 50 C64 100 78 140 74 190 \
              C70 240 40 262 4 262 C-36 262 -62 236 -66 188 C-70 130 -56 90 -62 30 \
              C-68 -20 -86 -70 -84 -130 C-80 -210 -48 -262 0 -262 Z""";
    heel =
        pointed
            ? "M-22 214 a25 30 0 1 0 50 0 a25 30 0 1 0 -50 0 Z"
            : "M-100 74 C-20 44 30 44 100 74 L100 102 C30 76 -24 76 -100 102 Z";
  }
}
