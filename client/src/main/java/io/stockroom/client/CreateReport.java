package io.stockroom.client;

import java.io.Serializable;
import java.util.List;

/**
 * What became of a stream of color groups.
 *
 * @param batches every request in the order of sending
 */
public record CreateReport(List<CreateBatch> batches) implements Serializable {
  private static final long serialVersionUID = 1;

  /** Keeps the batches as they are now. */
  public CreateReport {
    batches = List.copyOf(batches);
  }

  /** {@return how many color groups are confirmed as written} */
  public long created() {
    return batches.stream()
        .filter(batch -> batch.outcome() == CreateBatch.Outcome.CREATED)
        .mapToLong(CreateBatch::groups)
        .sum();
  }

  /** {@return the batches that are not confirmed as written} */
  public List<CreateBatch> failed() {
    return batches.stream()
        .filter(batch -> batch.outcome() != CreateBatch.Outcome.CREATED)
        .toList();
  }
}
