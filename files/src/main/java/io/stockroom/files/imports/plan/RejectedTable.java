package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.read.Detection;
import io.stockroom.files.imports.read.FormulaGuard;
import io.stockroom.files.imports.read.RowCells;
import io.stockroom.protocol.ErrorCode;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.List;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;

/**
 * A table of rejected rows in the layout of the file they come from. Every cell is text when a
 * spreadsheet opens it: formulas in rejected rows do not run.
 */
abstract class RejectedTable implements Closeable {
  static RejectedTable open(Detection detection, List<String> header, OutputStream to)
      throws IOException {
    return detection.format() == Detection.Format.XLSX
        ? new WorkbookTable(header, to)
        : new CsvTable(detection, header, to);
  }

  /** Adds the first {@code width} cells of a row, one of which is the reason. */
  void add(RowCells cells, int width, int reasonColumn, String reason) throws IOException {
    begin();
    for (int i = 0; i < width; i++) {
      // a cell that was cut must not pass as complete the next time
      boolean cut = cells.problem(i) == ErrorCode.CELL_TOO_LONG;
      String value = cut ? cells.value(i) + "…" : cells.value(i);
      cell(i, i == reasonColumn ? reason : value);
    }
    end();
  }

  abstract void begin() throws IOException;

  abstract void cell(int column, String value) throws IOException;

  abstract void end() throws IOException;

  private static final class CsvTable extends RejectedTable {
    private final Writer writer;
    private final char delimiter;

    CsvTable(Detection detection, List<String> header, OutputStream to) throws IOException {
      this.writer = new BufferedWriter(new OutputStreamWriter(to, detection.charset()), 1 << 16);
      this.delimiter = detection.delimiter();
      if (detection.mark()) {
        writer.write('\uFEFF');
      }
      for (int i = 0; i < header.size(); i++) {
        cell(i, header.get(i));
      }
      end();
    }

    @Override
    void begin() {}

    @Override
    void cell(int column, String cell) throws IOException {
      if (column > 0) {
        writer.write(delimiter);
      }
      String value = FormulaGuard.guard(cell);
      boolean quoted = value.indexOf(delimiter) >= 0 || !value.equals(value.strip());
      for (int i = 0; i < value.length() && !quoted; i++) {
        char c = value.charAt(i);
        quoted = c == '"' || c == '\n' || c == '\r';
      }
      writer.write(quoted ? '"' + value.replace("\"", "\"\"") + '"' : value);
    }

    @Override
    void end() throws IOException {
      writer.write("\r\n");
    }

    @Override
    public void close() throws IOException {
      writer.close();
    }
  }

  private static final class WorkbookTable extends RejectedTable {
    private static final int MAX_ROWS = 1_000_000;
    private static final int ROWS_PER_FLUSH = 500;
    private static final int MAX_CHARACTERS = 32_767;

    private final OutputStream to;
    private final Workbook workbook;
    private final List<String> header;
    private Worksheet sheet;
    private int sheets = 1;
    private int row;

    WorkbookTable(List<String> header, OutputStream to) throws IOException {
      this.to = to;
      this.header = header;
      this.workbook = new Workbook(to, "Stockroom", "1.0");
      this.sheet = workbook.newWorksheet("rejected");
      writeHeader();
    }

    private void writeHeader() {
      for (int i = 0; i < header.size(); i++) {
        sheet.inlineString(0, i, header.get(i));
      }
      row = 0;
    }

    @Override
    void begin() throws IOException {
      if (row == MAX_ROWS) {
        sheet.finish();
        sheet = workbook.newWorksheet("rejected " + ++sheets);
        writeHeader();
      }
      row++;
    }

    @Override
    void cell(int column, String value) {
      if (!value.isEmpty()) {
        sheet.inlineString(row, column, clipped(value));
      }
    }

    /** A cell of a workbook cannot hold more. */
    private static String clipped(String value) {
      return value.length() > MAX_CHARACTERS ? value.substring(0, MAX_CHARACTERS) : value;
    }

    @Override
    void end() throws IOException {
      if (row % ROWS_PER_FLUSH == 0) {
        sheet.flush();
      }
    }

    @Override
    public void close() throws IOException {
      sheet.finish();
      workbook.finish();
      to.close();
    }
  }
}
