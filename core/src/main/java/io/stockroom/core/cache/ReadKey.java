package io.stockroom.core.cache;

import org.jspecify.annotations.Nullable;

/** What a cached answer answers. */
public sealed interface ReadKey {
  int merchantId();

  /** The stock of a product; changes with that product. */
  record Stock(int merchantId, int productId) implements ReadKey {}

  /**
   * A page of the product list; changes with any product. A filtered page also changes when a
   * product gets its first entry.
   *
   * @param hasStock the filter; null for all products
   */
  record Products(int merchantId, @Nullable Boolean hasStock, int page) implements ReadKey {}

  /**
   * A page of a snapshot; changes with everything.
   *
   * @param after the last product of the page before; 0 for the first page
   * @param log the log of the cursor in the request; 0 for the first page
   * @param change the number of that cursor
   */
  record Snapshot(int merchantId, int after, int limit, long log, long change) implements ReadKey {}
}
