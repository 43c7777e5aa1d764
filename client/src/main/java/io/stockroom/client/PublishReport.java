package io.stockroom.client;

import java.util.List;

/**
 * What the server took of a report of publish results. A product that does not exist fails alone,
 * and the others count.
 *
 * @param accepted how many results count
 * @param refused why the others do not, with their places: {@code [1].pid}
 */
public record PublishReport(int accepted, List<Fault> refused) {
  /** Keeps the faults as they are now. */
  public PublishReport {
    refused = List.copyOf(refused);
  }

  /** {@return whether every result counts} */
  public boolean complete() {
    return refused.isEmpty();
  }
}
