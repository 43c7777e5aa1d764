package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows that are not imported, as they stand in the file and with the reason beside them,
 * so that they can be corrected and imported again. The file is read once more, side by side with
 * two ordered lists: the faults of rows, and the ranges of rows whose product is bad.
 */
final class RejectedRows {
  private static final int FETCH = 1000;
  private static final String FAULTS =
      """
      select row, column_name, value, code, arguments from import_fault order by row, column_name
      """;
  private static final String RANGES =
      """
      select r.row as first, r.last_row, f.row, f.column_name, f.value, f.code, f.arguments
      from import_run r join import_item i using (item) join (
        select distinct on (r.item) r.item, f.*
        from import_fault f join import_run r using (run)
        order by r.item, f.row
      ) f using (item)
      where i.bad order by r.row
      """;

  private final ImportFile file;
  private final RowSource source;
  private final Language language;
  private final Progress progress;

  RejectedRows(ImportFile file, RowSource source, Language language, Progress progress) {
    this.file = file;
    this.source = source;
    this.language = language;
    this.progress = progress;
  }

  void write(Connection connection, OutputStream to) throws SQLException, IOException, FileRefused {
    try (PreparedStatement faults = connection.prepareStatement(FAULTS);
        PreparedStatement ranges = connection.prepareStatement(RANGES)) {
      faults.setFetchSize(FETCH);
      ranges.setFetchSize(FETCH);
      try (ResultSet fault = faults.executeQuery();
          ResultSet range = ranges.executeQuery()) {
        Reasons reasons = new Reasons(fault, range);
        if (source instanceof TableSource table) {
          writeTable(table, reasons, to);
        } else {
          writeLines(reasons, to);
        }
      }
    }
  }

  private void writeTable(TableSource table, Reasons reasons, OutputStream to)
      throws SQLException, IOException, FileRefused {
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
      for (Cells cells = rows.next(); cells != null; cells = rows.next()) {
        progress.check();
        String reason = cells.row() <= table.headerRow() ? null : reasons.of(cells.row());
        if (reason != null) {
          out.add(cells, header.size(), reasonColumn, reason);
        }
      }
    }
  }

  private void writeLines(Reasons reasons, OutputStream to)
      throws SQLException, IOException, FileRefused {
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

  /** Why a row is rejected; asked for rows in ascending order. */
  private final class Reasons {
    private final ResultSet fault;
    private final ResultSet range;
    private boolean moreFaults;
    private boolean moreRanges;

    Reasons(ResultSet fault, ResultSet range) throws SQLException {
      this.fault = fault;
      this.range = range;
      this.moreFaults = fault.next();
      this.moreRanges = range.next();
    }

    @Nullable String of(int row) throws SQLException {
      List<String> own = new ArrayList<>();
      while (moreFaults && fault.getInt("row") <= row) {
        if (fault.getInt("row") == row) {
          own.add(sentence(fault));
        }
        moreFaults = fault.next();
      }
      while (moreRanges && range.getInt("last_row") < row) {
        moreRanges = range.next();
      }
      if (!own.isEmpty()) {
        return String.join(" ", own);
      }
      boolean within = moreRanges && range.getInt("first") <= row;
      return within
          ? Fault.of(
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
      Fault found =
          new Fault(
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
