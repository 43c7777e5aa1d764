package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Something wrong in a file: where it stands, what stands there, and why that will not do.
 *
 * @param row 0 where it concerns the file as a whole
 * @param column the column as the file names it; empty where it concerns the row
 */
public record Fault(int row, String column, String value, ErrorCode code, List<String> arguments) {
  private static final int SHOWN_CHARACTERS = 200;
  private static final Pattern SHEET = Pattern.compile("^sheet ([0-9]+)!");

  public Fault {
    value = shown(value);
    arguments = arguments.stream().map(Fault::shown).toList();
  }

  static Fault of(int row, String column, String value, ErrorCode code, Object... arguments) {
    List<String> texts = new ArrayList<>(arguments.length);
    for (Object argument : arguments) {
      texts.add(argument.toString());
    }
    return new Fault(row, column, value, code, texts);
  }

  static Fault of(int row, String column, String value, Problem problem) {
    return of(row, column, value, problem.code(), problem.arguments().toArray());
  }

  static Fault of(int row, String column, String value, InvalidValue invalid) {
    return of(row, column, value, invalid.at(column));
  }

  /** The column with its sheet, where there are several, in the words of the reader. */
  public String column(Language language) {
    return switch (language) {
      case ENGLISH -> column;
      case CHINESE -> SHEET.matcher(column).replaceFirst("工作表 $1!");
    };
  }

  public String message(Language language) {
    return new Problem("", code, List.copyOf(arguments)).message(language);
  }

  /** Clipped, and with nothing that a database could not store. */
  static String shown(String text) {
    int end = Math.min(text.length(), SHOWN_CHARACTERS);
    StringBuilder shown = new StringBuilder(end);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < end
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) {
        shown.append(c).append(text.charAt(++i));
      } else {
        shown.append(c == '\0' || Character.isSurrogate(c) ? '\uFFFD' : c);
      }
    }
    return end < text.length() ? shown.append('…').toString() : shown.toString();
  }
}
