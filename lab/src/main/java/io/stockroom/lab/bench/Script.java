package io.stockroom.lab.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A twin: a pgbench script that draws the inputs of a request and sends the server's statements.
 */
record Script(Path file, List<Command> commands) {
  static final Pattern VARIABLE = Pattern.compile("(?<!:):([a-z_][a-z0-9_]*)");

  private static final String OWN = "-- Only for the driver";
  private static final String SENT = "-->";

  sealed interface Command {}

  /** Draws a number. */
  record Set(String name, String expression) implements Command {}

  /**
   * @param own whether only the driver needs it and the server does not send it
   * @param kept whether the columns of its one row become variables
   */
  record Statement(String sql, boolean own, boolean kept) implements Command {
    /** The names of its variables in the order of the parameters. */
    List<String> variables() {
      return VARIABLE.matcher(sql).results().map(match -> match.group(1)).toList();
    }

    String withPlaces(String place) {
      return VARIABLE.matcher(sql).replaceAll(Matcher.quoteReplacement(place));
    }
  }

  /** What the server sends instead of the twin's statements; only for the comparison. */
  record Sent(String sql) implements Command {}

  static Script read(Path file) {
    try {
      return new Script(file, commands(Files.readAllLines(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Command> commands(List<String> lines) {
    List<Command> commands = new ArrayList<>();
    StringBuilder sql = new StringBuilder();
    StringBuilder sent = new StringBuilder();
    boolean own = false;
    for (String line : lines) {
      String text = line.strip();
      if (text.startsWith(OWN)) {
        own = true;
      } else if (text.startsWith(SENT)) {
        sent.append(text.substring(SENT.length())).append('\n');
        if (text.endsWith(";")) {
          commands.add(new Sent(sent.substring(0, sent.length() - 2)));
          sent.setLength(0);
        }
      } else if (text.startsWith("\\set ")) {
        String[] parts = text.split(" ", 3);
        commands.add(new Set(parts[1], parts[2]));
      } else if (!text.isEmpty() && !text.startsWith("--")) {
        sql.append(line).append('\n');
        boolean kept = text.endsWith("\\gset");
        if (kept || text.endsWith(";")) {
          String statement = sql.toString().strip();
          int end = statement.length() - (kept ? 5 : 1);
          commands.add(new Statement(statement.substring(0, end).strip(), own, kept));
          sql.setLength(0);
          own = false;
        }
      }
    }
    if (!sql.isEmpty()) {
      throw new BenchException("A twin ends in the middle of a statement:\n" + sql);
    }
    return commands;
  }

  /** Draws the numbers before the first statement. */
  void draw(Map<String, Long> numbers, RandomGenerator random) {
    for (Command command : commands) {
      if (!(command instanceof Set set)) {
        return;
      }
      numbers.put(set.name, Arithmetic.evaluate(set.expression, numbers, random));
    }
  }

  /** The statements that the server should send, normalized. */
  List<String> expected() {
    List<String> sent =
        commands.stream()
            .filter(Sent.class::isInstance)
            .map(command -> comparable(((Sent) command).sql))
            .toList();
    if (!sent.isEmpty()) {
      return sent;
    }
    return commands.stream()
        .filter(command -> command instanceof Statement statement && !statement.own)
        .map(command -> comparable(((Statement) command).withPlaces("?")))
        .toList();
  }

  /**
   * Normalizes a statement: one space between words, none inside parentheses, a question mark for
   * each parameter.
   */
  static String comparable(String sql) {
    String single =
        sql.replaceAll("\\$[0-9]+", "?")
            .replaceAll("\\s+", " ")
            .replace("( ", "(")
            .replace(" )", ")")
            .strip();
    String lower = single.toLowerCase(Locale.ROOT);
    return lower.equals("begin") || lower.equals("commit") ? lower : single;
  }
}
