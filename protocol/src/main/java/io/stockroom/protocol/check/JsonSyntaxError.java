package io.stockroom.protocol.check;

import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.JsonReason;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A common syntax error that makes a body invalid JSON.
 *
 * @param line the line, from 1
 * @param column the character in it, from 1
 * @param found the rest of the line
 */
record JsonSyntaxError(Cause cause, int line, int column, String found) {
  private static final Pattern LINE_END = Pattern.compile("\r\n|\r|\n");
  private static final String QUOTES = "'“”‘’";

  /** Looks at the position that the reader reports as a line and a column in UTF-8 bytes. */
  static JsonSyntaxError of(String body, Problem broken) {
    int line = (Integer) broken.arguments().get(0);
    int start = lineStart(body, line);
    int at = index(body, start, (Integer) broken.arguments().get(1));
    Cause cause = cause(body, at);
    if (broken.arguments().get(2).equals(JsonReason.REPEATED.sentence())) {
      cause = Cause.FIELD_REPEATED;
      at = Math.max(start, body.lastIndexOf('"', at - 2));
    }
    String rest = body.substring(at).lines().findFirst().orElse("");
    return new JsonSyntaxError(cause, line, at - start + 1, rest.isEmpty() ? "∅" : rest);
  }

  private static int lineStart(String body, int line) {
    Matcher end = LINE_END.matcher(body);
    int start = 0;
    for (int i = 1; i < line && end.find(); i++) {
      start = end.end();
    }
    return start;
  }

  private static int index(String body, int start, int byteColumn) {
    int at = start;
    int bytes = 0;
    while (at < body.length()) {
      int point = body.codePointAt(at);
      bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      if (bytes >= byteColumn) {
        return at;
      }
      at += Character.charCount(point);
    }
    return at;
  }

  private static Cause cause(String body, int at) {
    if (at >= body.length()) {
      return Cause.JSON_BROKEN;
    }
    char c = body.charAt(at);
    String before = body.substring(0, at).stripTrailing();
    if ((c == ']' || c == '}') && before.endsWith(",")) {
      return Cause.JSON_TRAILING_COMMA;
    }
    if (body.startsWith("//", at) || body.startsWith("/*", at)) {
      return Cause.JSON_COMMENT;
    }
    // a word instead of a quoted name: after the brace or the comma of an object
    boolean name = Character.isLetter(c) && before.endsWith("{");
    boolean nextName =
        Character.isLetter(c)
            && before.endsWith(",")
            && Pattern.compile("\\w+\\s*:").matcher(body.substring(at)).lookingAt();
    return QUOTES.indexOf(c) >= 0 || c == '_' || name || nextName
        ? Cause.JSON_QUOTES
        : Cause.JSON_BROKEN;
  }
}
