package io.stockroom.cli;

import java.nio.charset.Charset;

/** How much of a limit is used, drawn. */
final class Bar {
  static final int WIDTH = 20;

  private final String full;
  private final String empty;

  private Bar(String full, String empty) {
    this.full = full;
    this.empty = empty;
  }

  /** Blocks where the output can carry them. */
  static Bar in(Charset charset) {
    return charset.newEncoder().canEncode("█░") ? new Bar("█", "░") : new Bar("#", "-");
  }

  /** Any use shows, and only a limit that is used up looks full. */
  String of(long used, long limit) {
    int filled = filled(used, limit);
    return full.repeat(filled) + empty.repeat(WIDTH - filled);
  }

  private static int filled(long used, long limit) {
    if (used >= limit) {
      return WIDTH;
    }
    return used <= 0 ? 0 : (int) Math.max(1, Math.floor((double) used * WIDTH / limit));
  }
}
