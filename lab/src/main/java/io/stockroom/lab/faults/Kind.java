package io.stockroom.lab.faults;

/** The kinds of requests. */
enum Kind {
  /** Many entries at once; key: a color that no other request uses. */
  CREATE,
  /** Adds one to an entry, with an idempotency key; key: an entry that is adjusted once. */
  ADJUST,
  /** One product's detail, which is charged; key: a product that is fetched once. */
  DETAIL,
  /** Several publish results at once; key: a URL that no other request uses. */
  PUBLISH,
  /** Several products at once; key: the beginning of their item numbers. */
  IMPORT;

  /** Whether the same request may be resent until it is acknowledged. */
  boolean repeatable() {
    return this != DETAIL;
  }
}
