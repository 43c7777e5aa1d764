package io.stockroom.client;

import java.util.List;
import java.util.Optional;

/**
 * A product detail with the remaining quotas.
 *
 * @param product the product
 * @param quotas the remaining quota of each product detail limit; empty if the server does not say
 */
public record FetchedDetail(ProductDetail product, List<Quota> quotas) {
  /** Copies the list. */
  public FetchedDetail {
    quotas = List.copyOf(quotas);
  }

  /**
   * Finds a quota.
   *
   * @param name such as {@code detail-per-day} or {@code store-products}
   * @return the quota; empty if the response has none of this name
   */
  public Optional<Quota> quota(String name) {
    return quotas.stream().filter(quota -> quota.name().equals(name)).findFirst();
  }
}
