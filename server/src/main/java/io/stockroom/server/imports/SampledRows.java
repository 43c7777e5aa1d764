package io.stockroom.server.imports;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table, whose first few are kept on their way, so that people can see what was read:
 * those of the sheet that has the header, or of the first sheet where none has.
 */
final class SampledRows implements TableRows {
  /** The header and some rows below it. */
  private static final int MOST_ROWS = 6;

  private static final int MOST_COLUMNS = 100;
  private static final int MOST_CHARACTERS = 60;

  private final TableRows table;
  private final List<List<String>> first = new ArrayList<>();
  private final List<List<String>> current = new ArrayList<>();
  private @Nullable String firstSheet;
  private @Nullable String currentSheet;
  private boolean settled;

  SampledRows(TableRows table) {
    this.table = table;
  }

  /** The header was found: the sheet at hand is the one to show. */
  void settle() {
    settled = true;
  }

  /** Reads on where nothing of the file could be used, so that there is something to show. */
  void readOn() throws IOException {
    try {
      int left = MOST_ROWS;
      while (left > 0 && next() != null) {
        left--;
      }
    } catch (FileRefused alsoUnreadable) {
      // what came before it is enough, and why the file was refused is said already
    }
  }

  /** What was kept, the header first. */
  List<List<String>> sample() {
    return List.copyOf(settled ? current : first);
  }

  @Override
  public @Nullable Cells next() throws IOException, FileRefused {
    Cells cells = table.next();
    if (cells != null && !(settled && current.size() >= MOST_ROWS)) {
      keep(cells);
    }
    return cells;
  }

  private void keep(Cells cells) {
    String sheet = table.sheet(cells.row());
    if (firstSheet == null) {
      firstSheet = sheet;
    }
    if (!sheet.equals(currentSheet)) {
      if (settled) {
        return;
      }
      currentSheet = sheet;
      current.clear();
    }
    if (current.size() < MOST_ROWS) {
      List<String> row = texts(cells);
      current.add(row);
      if (sheet.equals(firstSheet)) {
        first.add(row);
      }
    }
  }

  private static List<String> texts(Cells cells) {
    int last = Math.min(cells.count(), MOST_COLUMNS);
    while (last > 0 && cells.value(last - 1).isBlank()) {
      last--;
    }
    List<String> texts = new ArrayList<>(last);
    for (int i = 0; i < last; i++) {
      texts.add(clipped(cells.value(i)));
    }
    return texts;
  }

  /** The beginning of a text, with nothing that a database could not store. */
  static String clipped(String text) {
    if (text.length() <= MOST_CHARACTERS) {
      return Fault.shown(text);
    }
    // not within a pair of surrogates
    int end = Character.isHighSurrogate(text.charAt(MOST_CHARACTERS - 1)) ? 1 : 0;
    return Fault.shown(text.substring(0, MOST_CHARACTERS - end)) + "…";
  }

  @Override
  public boolean mayEndEarly() {
    return table.mayEndEarly();
  }

  @Override
  public boolean guardsFormulas() {
    return table.guardsFormulas();
  }

  @Override
  public String sheet(int row) {
    return table.sheet(row);
  }

  @Override
  public int rowsOfASheet() {
    return table.rowsOfASheet();
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
