package io.stockroom.lab.bench;

import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Evaluates the expressions after {@code \set} in a twin like pgbench: whole numbers, {@code
 * :variables}, {@code + - * / %}, parentheses and {@code random(from, to)}. A request and its twin
 * draw their inputs from the same script.
 */
final class Arithmetic {
  private final String text;
  private final Map<String, Long> variables;
  private final RandomGenerator random;
  private int at;

  private Arithmetic(String text, Map<String, Long> variables, RandomGenerator random) {
    this.text = text;
    this.variables = variables;
    this.random = random;
  }

  static long evaluate(String text, Map<String, Long> variables, RandomGenerator random) {
    Arithmetic arithmetic = new Arithmetic(text, variables, random);
    long value = arithmetic.sum();
    if (arithmetic.next() != 0) {
      throw arithmetic.wrong();
    }
    return value;
  }

  private long sum() {
    long value = product();
    while (true) {
      if (take('+')) {
        value += product();
      } else if (take('-')) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  private long product() {
    long value = single();
    while (true) {
      if (take('*')) {
        value *= single();
      } else if (take('/')) {
        value /= single();
      } else if (take('%')) {
        value %= single();
      } else {
        return value;
      }
    }
  }

  private long single() {
    if (take('(')) {
      long value = sum();
      need(')');
      return value;
    }
    if (take(':')) {
      String name = word();
      Long value = variables.get(name);
      if (value == null) {
        throw new BenchException("no number named :" + name + " in \"" + text + "\"");
      }
      return value;
    }
    if (Character.isDigit(next())) {
      return Long.parseLong(word());
    }
    if (!word().equals("random")) {
      throw wrong();
    }
    need('(');
    long from = sum();
    need(',');
    long to = sum();
    need(')');
    return random.nextLong(from, to + 1);
  }

  private String word() {
    int start = at;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
      at++;
    }
    if (start == at) {
      throw wrong();
    }
    return text.substring(start, at);
  }

  private char next() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    return at == text.length() ? 0 : text.charAt(at);
  }

  private boolean take(char wanted) {
    boolean found = next() == wanted;
    if (found) {
      at++;
    }
    return found;
  }

  private void need(char wanted) {
    if (!take(wanted)) {
      throw wrong();
    }
  }

  private BenchException wrong() {
    return new BenchException("cannot read \"" + text + "\" at character " + (at + 1));
  }
}
