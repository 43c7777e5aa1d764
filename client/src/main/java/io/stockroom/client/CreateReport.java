package io.stockroom.client;

import java.io.Serializable;
import java.util.List;

/**
 * The result of a stream of color groups.
 *
 * @param batches all requests in the order they were sent
 */
public record CreateReport(List<CreateBatch> batches) implements Serializable {
  private static final long serialVersionUID = 1;

  /** Copies the list. */
  public CreateReport {
    batches = List.copyOf(batches);
  }

  /** {@return the number of color groups confirmed as written} */
  public long created() {
    return batches.stream()
        .filter(batch -> batch.outcome() == CreateBatch.Outcome.CREATED)
        .mapToLong(CreateBatch::groups)
        .sum();
  }

  /** {@return the batches not confirmed as written} */
  public List<CreateBatch> failed() {
    return batches.stream()
        .filter(batch -> batch.outcome() != CreateBatch.Outcome.CREATED)
        .toList();
  }
}
