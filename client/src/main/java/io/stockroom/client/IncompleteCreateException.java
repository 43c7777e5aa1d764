package io.stockroom.client;

import org.jspecify.annotations.Nullable;

/**
 * Not everything that was to be created is confirmed. {@link #report} says for each batch what
 * became of it; where the work stopped before the end, the cause says why, and groups after the
 * last batch of the report were not sent.
 */
public final class IncompleteCreateException extends StockroomException {
  private static final long serialVersionUID = 1;

  private final CreateReport report;

  IncompleteCreateException(String words, CreateReport report, @Nullable Throwable cause) {
    super(words, Origin.NO_ANSWER, cause);
    this.report = report;
  }

  /** {@return what became of every batch that was begun} */
  public CreateReport report() {
    return report;
  }
}
