package io.stockroom.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A table with aligned columns and a header line. Numbers are right-aligned. */
final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  Table(String... header) {
    rows.add(List.of(header));
  }

  /** A table with a row for each object. */
  static Table of(Iterable<JsonNode> objects, Columns columns) {
    Table table =
        new Table(columns.all().stream().map(Columns.Column::title).toArray(String[]::new));
    for (JsonNode object : objects) {
      table.cells(
          columns.all().stream().map(column -> column.text().apply(object)).toArray(String[]::new));
    }
    return table;
  }

  /** Adds a row with one cell for each column. Line breaks in a cell cannot fake another row. */
  void cells(String... cells) {
    rows.add(
        Arrays.stream(cells).map(cell -> Output.printable(cell.replaceAll("\\s", " "))).toList());
  }

  boolean isEmpty() {
    return rows.size() == 1;
  }

  List<String> lines() {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    boolean[] numbers = new boolean[columns];
    for (int column = 0; column < columns; column++) {
      int index = column;
      widths[column] = rows.stream().mapToInt(row -> displayWidth(row.get(index))).max().orElse(0);
      numbers[column] =
          !isEmpty() && rows.stream().skip(1).allMatch(row -> isNumber(row.get(index)));
    }
    return rows.stream().map(row -> line(row, widths, numbers)).toList();
  }

  private static String line(List<String> row, int[] widths, boolean[] numbers) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      String cell = row.get(column);
      String padding = " ".repeat(widths[column] - displayWidth(cell));
      line.append(column == 0 ? "" : GAP);
      line.append(numbers[column] ? padding + cell : cell + padding);
    }
    return line.toString().stripTrailing();
  }

  private static boolean isNumber(String cell) {
    return !cell.isEmpty() && cell.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** The width of a text in terminal columns: Chinese characters take two each. */
  static int displayWidth(String text) {
    return text.codePoints().map(Table::displayWidth).sum();
  }

  private static int displayWidth(int point) {
    return switch (Character.getType(point)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
      default -> isWide(point) ? 2 : 1;
    };
  }

  /** The wide and full-width ranges of Unicode's East Asian Width. */
  private static boolean isWide(int point) {
    return (point >= 0x1100 && point <= 0x115F)
        || (point >= 0x2E80 && point <= 0x303E)
        || (point >= 0x3041 && point <= 0xA4CF)
        || (point >= 0xA960 && point <= 0xA97F)
        || (point >= 0xAC00 && point <= 0xD7A3)
        || (point >= 0xF900 && point <= 0xFAFF)
        || (point >= 0xFE30 && point <= 0xFE6F)
        || (point >= 0xFF01 && point <= 0xFF60)
        || (point >= 0xFFE0 && point <= 0xFFE6)
        || (point >= 0x1F300 && point <= 0x1F64F)
        || (point >= 0x1F900 && point <= 0x1F9FF)
        || (point >= 0x20000 && point <= 0x3FFFD);
  }
}
