package io.stockroom.client;

import java.util.List;
import java.util.Optional;

/**
 * A product's detail, and what fetching it left of the limits.
 *
 * @param product the product
 * @param quotas what is left of each limit of product detail; empty where the server does not say
 */
public record FetchedDetail(ProductDetail product, List<Quota> quotas) {
  /** Keeps the quotas as they are now. */
  public FetchedDetail {
    quotas = List.copyOf(quotas);
  }

  /**
   * Finds a quota.
   *
   * @param name such as {@code detail-per-day} or {@code store-products}
   * @return the quota; empty where the answer told of none of this name
   */
  public Optional<Quota> quota(String name) {
    return quotas.stream().filter(quota -> quota.name().equals(name)).findFirst();
  }
}
