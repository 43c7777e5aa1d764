package io.stockroom.cli;

import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** What a command says: one JSON object for a program, or lines for a person. */
final class Output {
  private static final int LABEL_WIDTH = 14;

  private final Shell shell;
  private final boolean json;
  private final boolean stream;

  Output(Shell shell, boolean json) {
    this(shell, json, false);
  }

  private Output(Shell shell, boolean json, boolean stream) {
    this.shell = shell;
    this.json = json;
    this.stream = stream;
  }

  /** An output that tells a program of every event, one JSON object on each line. */
  static Output streaming(Shell shell) {
    return new Output(shell, true, true);
  }

  /** Shows {@code answer} as it is to a program, and through {@code human} to a person. */
  void show(Supplier<JsonNode> answer, Runnable human) {
    if (json) {
      shell.out().println(Json.line(answer.get()));
    } else {
      human.run();
    }
  }

  /** Something on the way to the result, which only a program that asked for it is told. */
  void event(Supplier<JsonNode> event) {
    if (stream) {
      shell.out().println(Json.line(event.get()));
    }
  }

  void line(String text) {
    shell.out().println(printable(text));
  }

  /** One fact on its own line, its value aligned with the others'. */
  void field(String label, JsonNode value) {
    field(label, text(value, "-"));
  }

  void field(String label, String value) {
    line(label + ":" + " ".repeat(LABEL_WIDTH - label.length()) + value);
  }

  void table(Table table) {
    table.lines().forEach(this::line);
  }

  /** Says what went wrong, apart from the result. */
  void problem(String sentence) {
    shell.err().println(printable(sentence));
  }

  /** The text of a value, or {@code absent} when there is none. */
  static String text(JsonNode value, String absent) {
    if (value.isMissingNode() || value.isNull()) {
      return absent;
    }
    if (value.isArray()) {
      return String.join(",", value.valueStream().map(element -> text(element, absent)).toList());
    }
    return value.isContainer() ? Json.line(value) : value.asString();
  }

  /** Names come from outside; none of them may move the cursor or recolor the terminal. */
  static String printable(String text) {
    return text.codePoints()
        .map(point -> Character.isISOControl(point) && point != '\n' && point != '\t' ? '?' : point)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
