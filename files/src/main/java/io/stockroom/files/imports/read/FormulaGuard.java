package io.stockroom.files.imports.read;

/**
 * Keeps spreadsheets from running the cells of a CSV file as formulas. An apostrophe in front of a
 * cell marks it as text; imports remove it again. Exports follow the same rule.
 */
public final class FormulaGuard {
  /** Spreadsheets read the full-width characters like the others. */
  private static final String FORMULA_STARTS = "=+-@\t\r\n＝＋－＠";

  private FormulaGuard() {}

  /** Guards a cell as it is in a file. A cell that begins with an apostrophe is text already. */
  public static String guard(String cell) {
    return startsFormula(cell, 0) ? "'" + cell : cell;
  }

  /** Removes the apostrophe of a guarded cell; other apostrophes belong to the text. */
  static String unguard(String cell) {
    int end = 0;
    while (end < cell.length() && cell.charAt(end) == '\'') {
      end++;
    }
    return end > 0 && startsFormula(cell, end) ? cell.substring(1) : cell;
  }

  private static boolean startsFormula(String cell, int at) {
    return at < cell.length() && FORMULA_STARTS.indexOf(cell.charAt(at)) >= 0;
  }
}
