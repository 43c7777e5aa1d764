package io.stockroom.cli.mcp;

/** A tool call that is not possible; the message tells the assistant what to do instead. */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1;

  Refusal(String sentence) {
    super(sentence);
  }
}
