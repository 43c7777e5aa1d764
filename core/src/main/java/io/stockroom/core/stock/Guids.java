package io.stockroom.core.stock;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Identifiers of stock entries: UUIDs of version 7, which grow with time. Those of one call count
 * up from a random number, because a secure random number for each is slow.
 */
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
    HexFormat hex = HexFormat.of();
    String high = hex.toHexDigits(high());
    long first = random.nextLong();
    StringBuilder guids = new StringBuilder(count * 33 + 2).append('{');
    for (int i = 0; i < count; i++) {
      guids.append(i == 0 ? "" : ",").append(high).append(hex.toHexDigits(low(first + i)));
    }
    return guids.append('}').toString();
  }

  /** That many new ones, each as its two halves one after the other. */
  public long[] halves(int count) {
    long high = high();
    long first = random.nextLong();
    long[] halves = new long[count * 2];
    for (int i = 0; i < count; i++) {
      halves[i * 2] = high;
      halves[i * 2 + 1] = low(first + i);
    }
    return halves;
  }

  /** The time, the version, and 12 random bits. */
  private long high() {
    return clock.millis() << 16 | 0x7000 | random.nextInt(0x1000);
  }

  /** The variant, and 62 bits of the number. */
  private static long low(long number) {
    return (number & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
  }
}
