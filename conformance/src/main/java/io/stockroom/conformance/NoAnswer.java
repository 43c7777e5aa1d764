package io.stockroom.conformance;

/** Nothing came back: the rule at hand cannot hold. */
public final class NoAnswer extends RuntimeException {
  private final boolean reached;

  NoAnswer(String message, boolean reached, Throwable cause) {
    super(message, cause);
    this.reached = reached;
  }

  /** Whether there was a connection at all. */
  public boolean reached() {
    return reached;
  }
}
