package io.stockroom.client;

import org.jspecify.annotations.Nullable;

/**
 * Not everything is confirmed as created. {@link #report} has the result of each batch. If the work
 * stopped early, the cause says why, and groups after the last batch of the report were not sent.
 */
public final class IncompleteCreateException extends StockroomException {
  private static final long serialVersionUID = 1;

  private final CreateReport report;

  IncompleteCreateException(String words, CreateReport report, @Nullable Throwable cause) {
    super(words, Origin.NO_ANSWER, cause);
    this.report = report;
  }

  /** {@return the result of every batch that was started} */
  public CreateReport report() {
    return report;
  }
}
