package io.stockroom.cli;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Ends a command with one sentence for its user: what went wrong, where, and what to do. {@link
 * Main} prints it and returns the exit code.
 */
final class CommandException extends RuntimeException {
  private final int exitCode;
  private final transient @Nullable JsonNode answer;

  private CommandException(
      String sentence, int exitCode, @Nullable JsonNode answer, @Nullable Throwable cause) {
    super(sentence, cause);
    this.exitCode = exitCode;
    this.answer = answer;
  }

  /** The command could not do its work. */
  static CommandException failed(String sentence) {
    return new CommandException(sentence, 1, null, null);
  }

  static CommandException failed(String sentence, Throwable cause) {
    return new CommandException(sentence, 1, null, cause);
  }

  /** The server rejected the request; {@code --json} prints its response unchanged. */
  static CommandException answered(String sentence, JsonNode answer) {
    return new CommandException(sentence, 1, answer, null);
  }

  /** The command line is invalid. */
  static CommandException usage(String sentence) {
    return new CommandException(sentence, 2, null, null);
  }

  int exitCode() {
    return exitCode;
  }

  String sentence() {
    return String.valueOf(getMessage());
  }

  /** The standard output with {@code --json}. */
  JsonNode json() {
    return answer == null ? Json.failure(sentence()) : answer;
  }
}
