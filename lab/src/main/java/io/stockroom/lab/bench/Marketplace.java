package io.stockroom.lab.bench;

import java.util.List;

/**
 * The data set: many merchants with equally many products, and one with very many. Ids are
 * consecutive, so the inputs of requests and twins are simple arithmetic.
 *
 * @param askedPerMerchant how many products of each merchant the load asks for
 * @param askedOfLarge the same for the merchant with very many
 */
record Marketplace(
    int merchants,
    int perMerchant,
    int largeProducts,
    int askedPerMerchant,
    int askedOfLarge,
    int firstMerchantId,
    int firstProductId,
    int firstApplicationId,
    int firstTokenId,
    List<String> colors,
    List<Account> accounts) {
  static final int PAGE_SIZE = 50;

  /** The generator leaves the last of five consecutive products without stock. */
  static final int GROUP = 5;

  static final int SIZES = 5;
  static final int FIRST_SIZE = 36;
  static final int COLORS = 5;
  static final int APPLICATIONS = 10;
  static final String STORE = "bench";

  /**
   * The credentials of a merchant. The first account belongs to the merchant with very many
   * products.
   */
  record Account(int merchantId, String appid, String secret, String token) {}

  /**
   * The same data, of which the load asks for these products only: of all merchants, and of one.
   */
  Marketplace asking(int workingSet) {
    int each = Math.max(GROUP, workingSet / merchants / GROUP * GROUP);
    return new Marketplace(
        merchants,
        perMerchant,
        largeProducts,
        Math.min(each, perMerchant),
        Math.min(workingSet, largeProducts),
        firstMerchantId,
        firstProductId,
        firstApplicationId,
        firstTokenId,
        colors,
        accounts);
  }

  Account account(long merchantId) {
    return accounts.get((int) merchantId - firstMerchantId);
  }

  int deepPage() {
    return Math.max(1, Math.min(1000, largeProducts / PAGE_SIZE));
  }
}
