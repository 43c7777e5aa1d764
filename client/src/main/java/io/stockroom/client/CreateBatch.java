package io.stockroom.client;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The result of one create request.
 *
 * @param index the number of the batch, from 0
 * @param firstGroup the number of color groups before this batch: {@code [3]} in a problem of this
 *     batch is the group {@code firstGroup + 3} of the stream
 * @param groups the number of color groups in it
 * @param outcome whether it was created
 * @param requestId the server's id of the request; null if there was no response or nothing was
 *     sent
 * @param failure why it was not created; null if it was created
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

  /** The outcome of a batch. */
  public enum Outcome {
    /** The server wrote all of it. */
    CREATED,
    /** The server wrote none of it; the failure says why. */
    REJECTED,
    /**
     * The response was lost, and resending did not recover it. The server wrote all of it or none
     * of it, never a part. Creating sets quantities, so creating the same groups again is safe if
     * no one else changes them in the meantime.
     */
    UNKNOWN
  }
}
