package io.stockroom.protocol.check;

import java.util.ArrayList;
import java.util.List;

/** Splits a command line into words like a shell, without running anything. */
final class ShellWords {
  private final String text;
  private final List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private boolean inWord;
  private int at;

  private ShellWords(String text) {
    this.text = text;
  }

  static List<String> split(String command) {
    // line continuations: \ in a POSIX shell, ^ in cmd, ` in PowerShell
    return new ShellWords(command.replaceAll("[ \t]*[\\\\^`]\r?\n", " ")).split();
  }

  private List<String> split() {
    while (at < text.length()) {
      char c = text.charAt(at++);
      switch (c) {
        case '\'' -> single();
        case '"' -> quoted();
        case '\\' -> {
          if (at < text.length()) {
            take(text.charAt(at++));
          }
        }
        case '$' -> {
          if (at < text.length() && text.charAt(at) == '\'') {
            at++;
            dollar();
          } else {
            take(c);
          }
        }
        case ' ', '\t', '\r', '\n' -> end();
        default -> take(c);
      }
    }
    end();
    return words;
  }

  private void take(char c) {
    word.append(c);
    inWord = true;
  }

  private void end() {
    if (inWord) {
      words.add(word.toString());
      word.setLength(0);
      inWord = false;
    }
  }

  private void single() {
    inWord = true;
    int close = text.indexOf('\'', at);
    if (close < 0) {
      throw new UnreadableCapture("QUOTE", "'");
    }
    word.append(text, at, close);
    at = close + 1;
  }

  private void quoted() {
    inWord = true;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return;
      }
      boolean escape = c == '\\' && at < text.length() && "\"\\$`".indexOf(text.charAt(at)) >= 0;
      word.append(escape ? text.charAt(at++) : c);
    }
    throw new UnreadableCapture("QUOTE", "\"");
  }

  /** {@code $'…'}, which browsers use for characters that a plain quote cannot hold. */
  private void dollar() {
    inWord = true;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '\'') {
        return;
      }
      if (c != '\\' || at >= text.length()) {
        word.append(c);
        continue;
      }
      char escaped = text.charAt(at++);
      switch (escaped) {
        case 'n' -> word.append('\n');
        case 'r' -> word.append('\r');
        case 't' -> word.append('\t');
        case 'u' -> {
          int end = Math.min(at + 4, text.length());
          word.append(unicode(text.substring(at, end)));
          at = end;
        }
        default -> word.append(escaped);
      }
    }
    throw new UnreadableCapture("QUOTE", "$'");
  }

  private static String unicode(String digits) {
    return digits.matches("[0-9A-Fa-f]{4}")
        ? String.valueOf((char) Integer.parseInt(digits, 16))
        : "\\u" + digits;
  }
}
