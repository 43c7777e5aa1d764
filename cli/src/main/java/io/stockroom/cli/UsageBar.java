package io.stockroom.cli;

import java.nio.charset.Charset;

/** Draws the used share of a limit as a bar. */
final class UsageBar {
  static final int WIDTH = 20;

  private final String full;
  private final String empty;

  private UsageBar(String full, String empty) {
    this.full = full;
    this.empty = empty;
  }

  /** Uses block characters if the charset supports them. */
  static UsageBar in(Charset charset) {
    return charset.newEncoder().canEncode("█░") ? new UsageBar("█", "░") : new UsageBar("#", "-");
  }

  /** Any usage is visible, and only an exhausted limit looks full. */
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
