package io.stockroom.files.imports.read;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A problem in a file: its location, value and reason.
 *
 * @param row 0 if it concerns the whole file
 * @param column the column's name in the file; empty if it concerns the row
 * @param artNo the product's item number; empty if unknown
 */
public record FileProblem(
    int row, String column, String value, ErrorCode code, List<String> arguments, String artNo) {
  private static final int SHOWN_CHARACTERS = 200;
  private static final Pattern SHEET = Pattern.compile("^sheet ([0-9]+)!");

  public FileProblem {
    value = shown(value);
    arguments = arguments.stream().map(FileProblem::shown).toList();
  }

  public FileProblem(int row, String column, String value, ErrorCode code, List<String> arguments) {
    this(row, column, value, code, arguments, "");
  }

  public static FileProblem of(
      int row, String column, String value, ErrorCode code, Object... arguments) {
    List<String> texts = new ArrayList<>(arguments.length);
    for (Object argument : arguments) {
      texts.add(argument.toString());
    }
    return new FileProblem(row, column, value, code, texts);
  }

  public static FileProblem of(int row, String column, String value, Problem problem) {
    return of(row, column, value, problem.code(), problem.arguments().toArray());
  }

  public static FileProblem of(int row, String column, String value, InvalidValue invalid) {
    return of(row, column, value, invalid.at(column));
  }

  /** The column, with the name of its sheet in this language. */
  public String column(Language language) {
    return switch (language) {
      case ENGLISH -> column;
      case CHINESE -> SHEET.matcher(column).replaceFirst("工作表 $1!");
    };
  }

  public String message(Language language) {
    return new Problem("", code, List.copyOf(arguments)).message(language);
  }

  /** Clips a text and replaces characters that PostgreSQL cannot store. */
  public static String shown(String text) {
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
