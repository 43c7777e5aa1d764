package io.stockroom.cli;

import picocli.CommandLine.Option;

/** For commands that follow something: each step as a JSON object of its own. */
final class JsonStreamOption {
  @Option(
      names = "--json-stream",
      description = "Print one JSON object per line: every step, and finally the result.")
  private boolean stream;

  Output output(OperatorOptions operator, Shell shell) {
    return stream ? Output.streaming(shell) : operator.output(shell);
  }
}
