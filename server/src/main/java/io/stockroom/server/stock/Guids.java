package io.stockroom.server.stock;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.UUID;

/** Identifiers of stock entries: UUIDs of version 7, which grow with time. */
final class Guids {
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  Guids(Clock clock) {
    this.clock = clock;
  }

  /** That many new ones, as the text of a PostgreSQL array: the driver's own way is slow. */
  String next(int count) {
    long millis = clock.millis();
    byte[] bytes = new byte[count * 10];
    random.nextBytes(bytes);
    HexFormat hex = HexFormat.of();
    StringBuilder guids = new StringBuilder(count * 33 + 2).append('{');
    for (int i = 0; i < count; i++) {
      long high = millis << 16 | 0x7000 | (number(bytes, i * 10, 2) & 0x0fff);
      long low = (number(bytes, i * 10 + 2, 8) & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
      guids.append(i == 0 ? "" : ",").append(hex.toHexDigits(high)).append(hex.toHexDigits(low));
    }
    return guids.append('}').toString();
  }

  /** The 32 hexadecimal characters that the interface shows. */
  static String text(UUID guid) {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(guid.getMostSignificantBits())
        + hex.toHexDigits(guid.getLeastSignificantBits());
  }

  private static long number(byte[] bytes, int start, int length) {
    long number = 0;
    for (int i = start; i < start + length; i++) {
      number = number << 8 | (bytes[i] & 0xff);
    }
    return number;
  }
}
