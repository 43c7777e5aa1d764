package io.stockroom.files.imports.write;

/**
 * Updates of stock entries and products by their place in the table, which an update finds without
 * an index and without the extra row lock of an upsert. The locks on the products keep entries in
 * their place. Such an update adds 0 to the merchant, so that no index on it competes with the
 * place.
 */
final class PlacedEntries {
  /** Before the updates: the planner might prefer to scan the whole table. */
  static final String BY_PLACE = "set local enable_seqscan = off";

  /** After the updates. */
  static final String BY_ANY_PLAN = "set local enable_seqscan = on";

  private PlacedEntries() {}

  /** Fails if a record was not in its place. */
  static void require(long written, long expected) {
    if (written != expected) {
      throw new IllegalStateException(
          "wrote %d records instead of %d".formatted(written, expected));
    }
  }
}
