package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.files.imports.read.RowSource;
import io.stockroom.protocol.ErrorCode;
import java.lang.Character.UnicodeScript;
import org.jspecify.annotations.Nullable;

/**
 * Finds item numbers, colors and barcodes that mix Latin letters with Cyrillic or Greek ones in one
 * word, because they look like other names.
 */
final class MixedScripts {
  private record First(int row, String column, String text) {}

  private @Nullable First first;
  private int total;

  void look(int row, String column, String text) {
    if (isMixed(text)) {
      total++;
      first = first == null ? new First(row, column, text) : first;
    }
  }

  /** The warning; null if nothing is mixed. */
  @Nullable FileProblem warning(RowSource source) {
    if (first == null) {
      return null;
    }
    int row = source.shownRow(first.row);
    return FileProblem.of(
        row, first.column, first.text, ErrorCode.SCRIPTS_MIXED, total, first.text, row);
  }

  static boolean isMixed(String text) {
    boolean latin = false;
    boolean other = false;
    if (isAscii(text)) {
      return false;
    }
    int character;
    for (int i = 0; i < text.length(); i += Character.charCount(character)) {
      character = text.codePointAt(i);
      if (!Character.isLetter(character)) {
        latin = false;
        other = false;
        continue;
      }
      UnicodeScript script = UnicodeScript.of(character);
      latin |= script == UnicodeScript.LATIN;
      other |= script == UnicodeScript.CYRILLIC || script == UnicodeScript.GREEK;
      if (latin && other) {
        return true;
      }
    }
    return false;
  }

  /** A fast path: most texts are ASCII. */
  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 127) {
        return false;
      }
    }
    return true;
  }
}
