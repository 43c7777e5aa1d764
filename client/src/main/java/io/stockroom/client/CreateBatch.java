package io.stockroom.client;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What became of one create request.
 *
 * @param index the number of the batch, from 0
 * @param firstGroup how many color groups went before it: {@code [3]} in a problem of this batch is
 *     the group {@code firstGroup + 3} of the stream
 * @param groups how many color groups it holds
 * @param outcome whether it was created
 * @param requestId the id under which the server knows the request; null where no answer came or
 *     nothing was sent
 * @param failure why it was not created; null where it was
 */
public record CreateBatch(
    int index,
    long firstGroup,
    int groups,
    Outcome outcome,
    @Nullable String requestId,
    @Nullable StockroomException failure)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /** What is known of a batch. */
  public enum Outcome {
    /** All of it is written. */
    CREATED,
    /** None of it is written; the failure says why. */
    REJECTED,
    /**
     * The answer was lost and could not be learned by sending again. All of it may be written, or
     * none; never a part. Creating sets quantities, so creating the same groups once more is safe
     * where nobody else changes them meanwhile.
     */
    UNKNOWN
  }
}
