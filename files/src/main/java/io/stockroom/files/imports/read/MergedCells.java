package io.stockroom.files.imports.read;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The merged cells of a sheet. A workbook stores the value of a merged cell in its first row only;
 * the rows below get it, too. The areas come after the rows, so they are found in a pass before.
 */
final class MergedCells {
  private static final int MAX_AREAS = 100_000;
  private static final int BUFFER = 1 << 16;
  private static final byte[] MARK = "mergeCell ref=\"".getBytes(US_ASCII);
  private static final Pattern AREA =
      Pattern.compile("([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})");

  private static final class Area {
    private final int column;
    private final int first;
    private final int last;
    private String value = "";

    Area(int column, int first, int last) {
      this.column = column;
      this.first = first;
      this.last = last;
    }
  }

  static final MergedCells NONE = new MergedCells(List.of());

  private final List<Area> areas;
  private final List<Area> open = new ArrayList<>();
  private int next;

  private MergedCells(List<Area> areas) {
    this.areas = areas;
  }

  /** Finds the areas of more than one row in the text of a sheet. */
  static MergedCells of(InputStream sheet) throws IOException {
    List<Area> areas = new ArrayList<>();
    byte[] buffer = new byte[BUFFER];
    StringBuilder found = new StringBuilder();
    int matched = 0;
    for (int length = sheet.read(buffer); length >= 0; length = sheet.read(buffer)) {
      for (int i = 0; i < length; i++) {
        byte b = buffer[i];
        if (matched < MARK.length) {
          matched = b == MARK[matched] ? matched + 1 : b == MARK[0] ? 1 : 0;
        } else if (b == '"' || found.length() > 32) {
          add(areas, found.toString());
          found.setLength(0);
          matched = 0;
        } else {
          found.append((char) b);
        }
      }
    }
    areas.sort(Comparator.comparingInt(area -> area.first));
    return new MergedCells(areas);
  }

  private static void add(List<Area> areas, String text) {
    Matcher matcher = AREA.matcher(text);
    if (matcher.matches() && areas.size() < MAX_AREAS) {
      int first = Integer.parseInt(matcher.group(2));
      int last = Integer.parseInt(matcher.group(4));
      if (last > first) {
        areas.add(new Area(XlsxRows.column(matcher.group(1)), first, last));
      }
    }
  }

  /** Fills the cells of a row; call it for the rows of the sheet in ascending order. */
  void fill(RowCells cells, int row) {
    open.removeIf(area -> area.last < row);
    for (Area area : open) {
      if (cells.value(area.column).isEmpty() && !area.value.isEmpty()) {
        cells.put(area.column, area.value);
      }
    }
    for (; next < areas.size() && areas.get(next).first <= row; next++) {
      Area area = areas.get(next);
      if (area.first == row && cells.problem(area.column) == null) {
        area.value = cells.value(area.column);
        open.add(area);
      }
    }
  }
}
