package io.stockroom.files.imports.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passes rows through and keeps a sample of the first ones: of the sheet with the header, or of the
 * first sheet if none has a header.
 */
final class SampledRows extends WrappedRows {
  /** The header and some rows below it. */
  private static final int MAX_ROWS = 6;

  private static final int MAX_COLUMNS = 100;
  private static final int MAX_CHARACTERS = 60;

  private final List<List<String>> first = new ArrayList<>();
  private final List<List<String>> current = new ArrayList<>();
  private @Nullable String firstSheet;
  private @Nullable String currentSheet;
  private final boolean headerless;
  private List<String> last = List.of();
  private boolean settled;

  SampledRows(TableRows table, boolean headerless) {
    super(table);
    this.headerless = headerless;
  }

  /** The last row is the header, so the sample begins there. */
  void settle() {
    settled = true;
    current.clear();
    current.add(last);
  }

  /** Reads some more rows of a file that cannot be used, so that there is a sample. */
  void readOn() throws IOException {
    try {
      int left = MAX_ROWS;
      while (left > 0 && next() != null) {
        left--;
      }
    } catch (FileRejection alsoUnreadable) {
      // the rows before it are enough, and the file is already rejected for another reason
    }
  }

  /** The sampled rows, header first. */
  List<List<String>> sample() {
    List<List<String>> sample = new ArrayList<>(settled ? current : first);
    if (headerless) {
      sample.addFirst(Columns.letters(sample.stream().mapToInt(List::size).max().orElse(0)));
    }
    return List.copyOf(sample);
  }

  @Override
  public @Nullable RowCells next() throws IOException, FileRejection {
    RowCells cells = table.next();
    if (cells != null && !(settled && current.size() >= MAX_ROWS)) {
      keep(cells);
    }
    return cells;
  }

  private void keep(RowCells cells) {
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
    if (!settled) {
      last = texts(cells);
    }
    if (current.size() < MAX_ROWS) {
      List<String> row = texts(cells);
      current.add(row);
      if (sheet.equals(firstSheet)) {
        first.add(row);
      }
    }
  }

  private static List<String> texts(RowCells cells) {
    int last = Math.min(cells.count(), MAX_COLUMNS);
    while (last > 0 && cells.value(last - 1).isBlank()) {
      last--;
    }
    List<String> texts = new ArrayList<>(last);
    for (int i = 0; i < last; i++) {
      texts.add(clipped(cells.value(i)));
    }
    return texts;
  }

  /** Clips a text and replaces characters that PostgreSQL cannot store. */
  static String clipped(String text) {
    if (text.length() <= MAX_CHARACTERS) {
      return FileProblem.shown(text);
    }
    // do not split a surrogate pair
    int end = Character.isHighSurrogate(text.charAt(MAX_CHARACTERS - 1)) ? 1 : 0;
    return FileProblem.shown(text.substring(0, MAX_CHARACTERS - end)) + "…";
  }
}
