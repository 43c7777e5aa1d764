package io.stockroom.server.generate;

import io.stockroom.protocol.SizeRange;

/**
 * How large a marketplace is to be.
 *
 * @param products over all merchants, who share them evenly
 * @param colours of each product that has stock
 * @param sizes of each colour
 * @param seed what chance begins with: the same plan gives the same rows
 * @param pictures what the addresses of pictures begin with, such as {@code http://localhost:8080}
 */
public record Plan(
    int merchants, int products, int colours, SizeRange sizes, long seed, String pictures) {
  public static final int MOST_MERCHANTS = 1_000_000;
  public static final int MOST_PRODUCTS = 100_000_000;
  public static final int MOST_COLOURS = 300;
  public static final long MOST_ENTRIES = 10_000_000_000L;

  /** Of as many products one has no stock. */
  static final int BARE = 5;

  public Plan {
    require(merchants, 1, MOST_MERCHANTS, "merchants");
    require(products, 1, MOST_PRODUCTS, "products");
    require(colours, 1, MOST_COLOURS, "colours");
    if ((long) products * colours * sizes.count() > MOST_ENTRIES) {
      throw new GenerateRefused(
          "%d products with %d colours in %d sizes are more than %d entries. Ask for fewer."
              .formatted(products, colours, sizes.count(), MOST_ENTRIES));
    }
  }

  /** How many products the merchant of this index (from 0) has. */
  int productsOf(int merchant) {
    return products / merchants + (merchant < products % merchants ? 1 : 0);
  }

  /** How many products the merchants before this one have. */
  int productsBefore(int merchant) {
    int remainder = products % merchants;
    return products / merchants * merchant + Math.min(merchant, remainder);
  }

  /** Whether the product of this number (from 0 within its merchant) has stock. */
  static boolean isStocked(int number) {
    return number % BARE != BARE - 1;
  }

  /** How many of a merchant's first products have stock. */
  static int stocked(int firstProducts) {
    return firstProducts - firstProducts / BARE;
  }

  private static void require(int value, int least, int most, String what) {
    if (value < least || value > most) {
      throw new GenerateRefused(
          "%d %s cannot be generated; ask for %d to %d.".formatted(value, what, least, most));
    }
  }
}
