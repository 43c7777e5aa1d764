package io.stockroom.server.catalogue;

import java.util.List;

/**
 * How many consecutive product numbers share a row of {@code product_block}, which keeps how many
 * products there are and how many have stock. A filtered page is found by adding these up, not by
 * counting products.
 */
public final class ProductBlocks {
  private static final int FINE = 256;

  /** How many fine blocks make a coarse one. */
  static final int FINE_PER_COARSE = 64;

  /** By level: fine blocks are level 0, coarse ones level 1. */
  public static final List<Integer> SPANS = List.of(FINE, FINE * FINE_PER_COARSE);

  private ProductBlocks() {}

  /** The level and block of a product number, as a table that can be joined beside {@code sql}. */
  public static String levels(String number) {
    return "(values (0, %1$s / %2$d), (1, %1$s / %3$d)) as l (level, block)"
        .formatted(number, SPANS.getFirst(), SPANS.getLast());
  }
}
