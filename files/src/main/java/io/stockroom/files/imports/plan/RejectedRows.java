package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.read.Columns;
import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.files.imports.read.FileRejection;
import io.stockroom.files.imports.read.ImportFile;
import io.stockroom.files.imports.read.JsonLines;
import io.stockroom.files.imports.read.Progress;
import io.stockroom.files.imports.read.RowCells;
import io.stockroom.files.imports.read.RowSource;
import io.stockroom.files.imports.read.TableRows;
import io.stockroom.files.imports.read.TableSource;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rejected rows as they are in the file, with the reason in one more column, so that
 * people can correct them and import them again. It reads the file once more, side by side with two
 * ordered cursors: the problems of rows, and the ranges of rows whose product is bad.
 */
public final class RejectedRows {
  private static final int FETCH = 1000;
  private static final String PROBLEMS =
      """
      select row, column_name, value, code, arguments from import_problem order by row, column_name
      """;
  private static final String RANGES =
      """
      select r.row as first, r.last_row, f.row, f.column_name, f.value, f.code, f.arguments
      from import_run r join import_item i using (item) join (
        select distinct on (r.item) r.item, f.*
        from import_problem f join import_run r using (run)
        order by r.item, f.row
      ) f using (item)
      where i.bad order by r.row
      """;

  private final ImportFile file;
  private final RowSource source;
  private final Language language;
  private final Progress progress;

  public RejectedRows(ImportFile file, RowSource source, Language language, Progress progress) {
    this.file = file;
    this.source = source;
    this.language = language;
    this.progress = progress;
  }

  public void write(Connection connection, OutputStream to)
      throws SQLException, IOException, FileRejection {
    try (Statement problems = connection.createStatement();
        Statement ranges = connection.createStatement()) {
      problems.setFetchSize(FETCH);
      ranges.setFetchSize(FETCH);
      try (ResultSet problem = problems.executeQuery(PROBLEMS);
          ResultSet range = ranges.executeQuery(RANGES)) {
        Reasons reasons = new Reasons(problem, range);
        if (source instanceof TableSource table) {
          writeTable(table, reasons, to);
        } else {
          writeLines(reasons, to);
        }
      }
    }
  }

  private void writeTable(TableSource table, Reasons reasons, OutputStream to)
      throws SQLException, IOException, FileRejection {
    List<String> header = new ArrayList<>(table.header());
    int reasonColumn = 0;
    while (reasonColumn < header.size() && !Columns.isReason(header.get(reasonColumn))) {
      reasonColumn++;
    }
    if (reasonColumn == header.size()) {
      header.add(Columns.reason(language));
    }
    try (TableRows rows = file.table();
        RejectedTable out = RejectedTable.open(file.detection(), header, to)) {
      for (RowCells cells = rows.next(); cells != null; cells = rows.next()) {
        progress.check();
        String reason = cells.row() <= table.headerRow() ? null : reasons.of(cells.row());
        if (reason != null) {
          out.add(cells, header.size(), reasonColumn, reason);
        }
      }
    }
  }

  private void writeLines(Reasons reasons, OutputStream to)
      throws SQLException, IOException, FileRejection {
    try (JsonLines lines = file.lines();
        to) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        progress.check();
        String reason = reasons.of(lines.row());
        if (reason != null) {
          String rejected = RejectedLine.of(line, reason) + "\n";
          to.write(rejected.getBytes(file.detection().charset()));
        }
      }
    }
  }

  /** The reason why a row is rejected; call it for rows in ascending order. */
  private final class Reasons {
    private final ResultSet problem;
    private final ResultSet range;
    private boolean moreProblems;
    private boolean moreRanges;

    Reasons(ResultSet problem, ResultSet range) throws SQLException {
      this.problem = problem;
      this.range = range;
      this.moreProblems = problem.next();
      this.moreRanges = range.next();
    }

    @Nullable String of(int row) throws SQLException {
      List<String> own = new ArrayList<>();
      while (moreProblems && problem.getInt("row") <= row) {
        if (problem.getInt("row") == row) {
          own.add(sentence(problem));
        }
        moreProblems = problem.next();
      }
      while (moreRanges && range.getInt("last_row") < row) {
        moreRanges = range.next();
      }
      if (!own.isEmpty()) {
        return String.join(" ", own);
      }
      boolean within = moreRanges && range.getInt("first") <= row;
      return within
          ? FileProblem.of(
                  0,
                  "",
                  "",
                  ErrorCode.ROW_OF_BAD_PRODUCT,
                  source.shownRow(range.getInt("row")),
                  sentence(range))
              .message(language)
          : null;
    }

    private String sentence(ResultSet row) throws SQLException {
      FileProblem found =
          new FileProblem(
              0,
              row.getString("column_name"),
              row.getString("value"),
              ErrorCode.valueOf(row.getString("code")),
              Arrays.asList((String[]) row.getArray("arguments").getArray()));
      String message = found.message(language);
      return found.column().isEmpty() ? message : found.column(language) + ": " + message;
    }
  }
}
