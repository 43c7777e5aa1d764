package io.stockroom.client;

import java.util.List;

/**
 * What the server took of a report of publish results. A product that does not exist fails alone,
 * and the others count.
 *
 * @param accepted how many results count
 * @param problems why the others do not, with their locations: {@code [1].pid}
 */
public record PublishReport(int accepted, List<Problem> problems) {
  /** Keeps the problems as they are now. */
  public PublishReport {
    problems = List.copyOf(problems);
  }

  /** {@return whether every result counts} */
  public boolean complete() {
    return problems.isEmpty();
  }
}
