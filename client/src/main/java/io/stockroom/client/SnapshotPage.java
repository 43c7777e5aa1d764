package io.stockroom.client;

import java.util.List;

/**
 * One page of a snapshot.
 *
 * @param next where the next page begins; empty on the last page
 */
record SnapshotPage(String cursor, String next, List<ProductStock> products) {
  static SnapshotPage read(Fields fields) {
    return new SnapshotPage(
        fields.text("cursor"), fields.text("next"), fields.list("products", ProductStock::read));
  }
}
