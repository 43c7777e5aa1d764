package io.stockroom.core.stock;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.UUID;

/** Identifiers of stock entries: UUIDs of version 7, which grow with time. */
public final class Guids {
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  public Guids(Clock clock) {
    this.clock = clock;
  }

  /** The 32 hexadecimal characters that the interface shows. */
  static String text(UUID guid) {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(guid.getMostSignificantBits())
        + hex.toHexDigits(guid.getLeastSignificantBits());
  }

  /** That many new ones, as the text of a PostgreSQL array: the driver's own way is slow. */
  String next(int count) {
    long millis = clock.millis();
    byte[] bytes = new byte[count * 10];
    random.nextBytes(bytes);
    HexFormat hex = HexFormat.of();
    StringBuilder guids = new StringBuilder(count * 33 + 2).append('{');
    for (int i = 0; i < count; i++) {
      guids
          .append(i == 0 ? "" : ",")
          .append(hex.toHexDigits(high(millis, bytes, i)))
          .append(hex.toHexDigits(low(bytes, i)));
    }
    return guids.append('}').toString();
  }

  /** That many new ones, each as its two halves one after the other. */
  public long[] halves(int count) {
    long millis = clock.millis();
    byte[] bytes = new byte[count * 10];
    random.nextBytes(bytes);
    long[] halves = new long[count * 2];
    for (int i = 0; i < count; i++) {
      halves[i * 2] = high(millis, bytes, i);
      halves[i * 2 + 1] = low(bytes, i);
    }
    return halves;
  }

  private static long high(long millis, byte[] bytes, int i) {
    return millis << 16 | 0x7000 | (number(bytes, i * 10, 2) & 0x0fff);
  }

  private static long low(byte[] bytes, int i) {
    return (number(bytes, i * 10 + 2, 8) & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
  }

  private static long number(byte[] bytes, int start, int length) {
    long number = 0;
    for (int i = start; i < start + length; i++) {
      number = number << 8 | (bytes[i] & 0xff);
    }
    return number;
  }
}
