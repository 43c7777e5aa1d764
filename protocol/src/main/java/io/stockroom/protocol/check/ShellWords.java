package io.stockroom.protocol.check;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits a pasted command line as a shell does. Nothing is expanded or run. */
final class ShellWords {
  private static final Pattern ESCAPE = Pattern.compile("(?s)\\\\(?:u([0-9A-Fa-f]{4})|(.))");

  private ShellWords() {}

  static List<String> split(String command) {
    // line continuations: \ in a POSIX shell, ^ in cmd, ` in PowerShell
    String text = command.replaceAll("[ \t]*[\\\\^`]\r?\n", " ") + " ";
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inWord = false;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      boolean dollar = text.startsWith("$'", at);
      if (c == '\'' || c == '"' || dollar) {
        int open = dollar ? at + 1 : at;
        int close = close(text, open, c != '\'');
        word.append(content(c, text.substring(open + 1, close)));
        at = close;
        inWord = true;
      } else if (!Character.isWhitespace(c)) {
        at += c == '\\' ? 1 : 0;
        word.append(text.charAt(at));
        inWord = true;
      } else if (inWord) {
        words.add(word.toString());
        word.setLength(0);
        inWord = false;
      }
    }
    return words;
  }

  private static int close(String text, int open, boolean escapes) {
    char quote = text.charAt(open);
    for (int at = open + 1; at < text.length(); at++) {
      if (text.charAt(at) == quote) {
        return at;
      }
      at += escapes && text.charAt(at) == '\\' ? 1 : 0;
    }
    throw new UnreadableCapture("QUOTE", String.valueOf(quote));
  }

  private static String content(char opening, String quoted) {
    return switch (opening) {
      case '"' -> quoted.replaceAll("\\\\([\"\\\\$`])", "$1");
      case '$' -> ESCAPE.matcher(quoted).replaceAll(ShellWords::unescaped);
      default -> quoted;
    };
  }

  /** {@code $'…'}, which browsers use for characters that a plain quote cannot hold. */
  private static String unescaped(MatchResult escape) {
    if (escape.group(1) != null) {
      return Matcher.quoteReplacement("" + (char) Integer.parseInt(escape.group(1), 16));
    }
    String letter = escape.group(2);
    int control = "nrt".indexOf(letter);
    return Matcher.quoteReplacement(
        control < 0 ? letter : "\n\r\t".substring(control, control + 1));
  }
}
