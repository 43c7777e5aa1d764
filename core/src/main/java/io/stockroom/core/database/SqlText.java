package io.stockroom.core.database;

import java.util.Locale;
import java.util.Set;

/** Finds the parts of a SQL text in which a colon does not begin a parameter. */
final class SqlText {
  /** A sequence may skip a number, so a read may take one. */
  private static final Set<String> WRITES = Set.of("insert", "update", "delete", "merge");

  private SqlText() {}

  /** Where the token that begins at {@code at} ends. */
  static int endOfToken(String text, int at) {
    char first = text.charAt(at);
    if (first == '\'' || first == '"') {
      return after(text, String.valueOf(first), at + 1);
    }
    if (text.startsWith("--", at)) {
      return after(text, "\n", at + 2);
    }
    if (text.startsWith("/*", at)) {
      return after(text, "*/", at + 2);
    }
    if (text.startsWith("$$", at)) {
      return after(text, "$$", at + 2);
    }
    if (text.startsWith("::", at)) {
      return at + 2;
    }
    int end = at + 1;
    if (isParameter(text, at) || Character.isJavaIdentifierStart(first)) {
      while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
        end++;
      }
    }
    return end;
  }

  /** Whether this token makes a statement one that writes, or locks rows. */
  static boolean isWrite(String text, int at, int end) {
    return WRITES.contains(text.substring(at, end).toLowerCase(Locale.ROOT));
  }

  static boolean isParameter(String text, int at) {
    return text.charAt(at) == ':'
        && at + 1 < text.length()
        && Character.isJavaIdentifierStart(text.charAt(at + 1));
  }

  private static int after(String text, String mark, int from) {
    int found = text.indexOf(mark, from);
    return found < 0 ? text.length() : found + mark.length();
  }
}
