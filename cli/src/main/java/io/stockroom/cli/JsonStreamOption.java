package io.stockroom.cli;

import picocli.CommandLine.Option;

/** An option of commands that follow something: prints each step as a separate JSON object. */
final class JsonStreamOption {
  @Option(
      names = "--json-stream",
      description = "Print one JSON object per line: every step, and finally the result.")
  private boolean stream;

  Output output(OperatorOptions operator, Shell shell) {
    return stream ? Output.streaming(shell) : operator.output(shell);
  }
}
