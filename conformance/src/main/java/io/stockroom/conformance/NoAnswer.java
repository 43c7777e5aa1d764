package io.stockroom.conformance;

/** There was no response, so the current rule fails. */
public final class NoAnswer extends RuntimeException {
  private final boolean reached;

  NoAnswer(String message, boolean reached, Throwable cause) {
    super(message, cause);
    this.reached = reached;
  }

  /** Whether a connection was established. */
  public boolean reached() {
    return reached;
  }
}
