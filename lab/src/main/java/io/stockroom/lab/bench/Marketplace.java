package io.stockroom.lab.bench;

import java.util.List;

/**
 * The data set: merchants who share products evenly, and before them one with very many. Ids are
 * consecutive, so what a request or a twin asks for is arithmetic.
 */
record Marketplace(
    int merchants,
    int perMerchant,
    int largeProducts,
    int firstMerchantId,
    int firstProductId,
    int firstApplicationId,
    int firstTokenId,
    List<String> colors,
    List<Account> accounts) {
  static final int PAGE_SIZE = 50;
  static final int SIZES = 5;
  static final int FIRST_SIZE = 36;
  static final int COLORS = 5;
  static final int APPLICATIONS = 10;
  static final String STORE = "bench";

  /** A merchant's way in. The first is that of the merchant with very many products. */
  record Account(int merchantId, String appid, String secret, String token) {}

  Account account(long merchantId) {
    return accounts.get((int) merchantId - firstMerchantId);
  }

  int deepPage() {
    return Math.max(1, Math.min(1000, largeProducts / PAGE_SIZE));
  }
}
