package io.stockroom.demo.generate;

import java.util.HexFormat;

/**
 * Pseudo-random numbers that depend only on the seed and their purpose. Implements SplitMix64, so
 * they are the same on every Java.
 */
final class SeededRandom {
  /** The creation time of every generated marketplace. */
  static final String BEGINNING = "2026-01-01 00:00:00+00";

  private static final long BEGINNING_MILLIS = 1_767_225_600_000L;
  private static final long STEP = 0x9e37_79b9_7f4a_7c15L;

  private final int ordinal;
  private long state;

  private SeededRandom(long seed, int ordinal) {
    this.ordinal = ordinal;
    this.state = mixed(mixed(seed) + ordinal);
  }

  /** The generator for a product's details; {@code ordinal} counts across all merchants. */
  static SeededRandom ofProduct(long seed, int ordinal) {
    return new SeededRandom(seed, ordinal);
  }

  /** The generator for a product's stock: separate, so each table can be written independently. */
  static SeededRandom ofStock(long seed, int ordinal) {
    return new SeededRandom(~seed, ordinal);
  }

  /** From 0 to one less than {@code bound}. */
  int below(int bound) {
    return (int) (((next() >>> 32) * bound) >>> 32);
  }

  /**
   * A UUIDv7 in hexadecimal, as if every product was created one millisecond after the previous
   * one.
   */
  String guid() {
    long high = (BEGINNING_MILLIS + ordinal) << 16 | 0x7000 | below(0x1000);
    long low = (next() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(high) + hex.toHexDigits(low);
  }

  private long next() {
    state += STEP;
    return mixed(state);
  }

  private static long mixed(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d0_49bb_1331_11ebL;
    return mixed ^ (mixed >>> 31);
  }
}
