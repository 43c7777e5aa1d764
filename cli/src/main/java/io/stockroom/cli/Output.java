package io.stockroom.cli;

import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** The output of a command: one JSON object for a program, or text for a person. */
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

  /** An output that also prints every event, as one JSON object per line. */
  static Output streaming(Shell shell) {
    return new Output(shell, true, true);
  }

  /** Prints {@code answer} for a program, or runs {@code human} for a person. */
  void show(Supplier<JsonNode> answer, Runnable human) {
    if (json) {
      shell.out().println(Json.line(answer.get()));
    } else {
      human.run();
    }
  }

  /** An intermediate step, printed only with {@code --json-stream}. */
  void event(Supplier<JsonNode> event) {
    if (stream) {
      shell.out().println(Json.line(event.get()));
    }
  }

  void line(String text) {
    shell.out().println(printable(text));
  }

  /** Prints one field per line, with aligned values. */
  void field(String label, JsonNode value) {
    field(label, text(value, "-"));
  }

  void field(String label, String value) {
    line(label + ":" + " ".repeat(Math.max(1, LABEL_WIDTH - label.length())) + value);
  }

  /** Prints an object, one field per line. */
  void fields(JsonNode object, Columns columns) {
    columns.all().forEach(column -> field(column.title(), column.text().apply(object)));
  }

  void table(Table table) {
    table.lines().forEach(this::line);
  }

  /** Prints an error message to standard error. */
  void problem(String sentence) {
    shell.err().println(printable(sentence));
  }

  /** The text of a value, or {@code absent} if there is none. */
  static String text(JsonNode value, String absent) {
    if (value.isMissingNode() || value.isNull()) {
      return absent;
    }
    if (value.isArray()) {
      return String.join(",", value.valueStream().map(element -> text(element, absent)).toList());
    }
    return value.isContainer() ? Json.line(value) : value.asString();
  }

  /** Removes control characters, so untrusted text cannot control the terminal. */
  static String printable(String text) {
    return text.codePoints()
        .map(point -> Character.isISOControl(point) && point != '\n' && point != '\t' ? '?' : point)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
