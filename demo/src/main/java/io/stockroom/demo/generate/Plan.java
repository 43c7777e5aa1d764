package io.stockroom.demo.generate;

import io.stockroom.protocol.SizeRange;

/**
 * The size of a marketplace.
 *
 * @param products the total of all merchants
 * @param largest how many of them the first merchant has; 0 to distribute them evenly
 * @param colors of each product that has stock
 * @param sizes of each color
 * @param seed of the random numbers: the same plan yields the same rows
 * @param pictures the prefix of picture URLs, such as {@code http://localhost:8080}
 */
public record Plan(
    int merchants,
    int products,
    int largest,
    int colors,
    SizeRange sizes,
    long seed,
    String pictures) {
  public static final int MAX_MERCHANTS = 1_000_000;
  public static final int MAX_PRODUCTS = 100_000_000;
  public static final int MAX_COLORS = 300;
  public static final long MAX_ENTRIES = 10_000_000_000L;

  /** Every fifth product has no stock. */
  static final int BARE = 5;

  public Plan {
    require(merchants, 1, MAX_MERCHANTS, "merchants");
    require(products, 1, MAX_PRODUCTS, "products");
    require(largest, 0, products, "products of one merchant");
    if (merchants == 1) {
      // no other merchant can have the rest
      largest = 0;
    }
    require(colors, 1, MAX_COLORS, "colors");
    if ((long) products * colors * sizes.count() > MAX_ENTRIES) {
      throw new GeneratorException(
          "%d products with %d colors in %d sizes are more than %d entries. Ask for fewer."
              .formatted(products, colors, sizes.count(), MAX_ENTRIES));
    }
  }

  /** How many products the merchant with this index has. */
  int productsOf(int merchant) {
    return productsBefore(merchant + 1) - productsBefore(merchant);
  }

  /** How many products the merchants before this one have. */
  int productsBefore(int merchant) {
    if (largest == 0) {
      return shared(products, merchants, merchant);
    }
    return merchant == 0 ? 0 : largest + shared(products - largest, merchants - 1, merchant - 1);
  }

  /** How many products the first merchants have in an even distribution. */
  private static int shared(int products, int merchants, int first) {
    return products / merchants * first + Math.min(first, products % merchants);
  }

  /** Whether the product with this index within its merchant has stock. */
  static boolean isStocked(int number) {
    return number % BARE != BARE - 1;
  }

  /** How many of a merchant's first products have stock. */
  static int stocked(int firstProducts) {
    return firstProducts - firstProducts / BARE;
  }

  private static void require(int value, int least, int most, String what) {
    if (value < least || value > most) {
      throw new GeneratorException(
          "%d %s cannot be generated; ask for %d to %d.".formatted(value, what, least, most));
    }
  }
}
