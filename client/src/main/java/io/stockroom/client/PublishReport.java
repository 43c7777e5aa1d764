package io.stockroom.client;

import java.util.List;

/**
 * The result of reporting publish results. A product that does not exist is rejected alone; the
 * other results are accepted.
 *
 * @param accepted the number of accepted results
 * @param problems why the others were rejected, with their locations: {@code [1].pid}
 */
public record PublishReport(int accepted, List<Problem> problems) {
  /** Copies the list. */
  public PublishReport {
    problems = List.copyOf(problems);
  }

  /** {@return whether the server accepted every result} */
  public boolean complete() {
    return problems.isEmpty();
  }
}
