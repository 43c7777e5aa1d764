package io.stockroom.files.imports;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.protocol.ErrorCode;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/** What was wrong with the rows of a job, in the order of its file. */
public final class ImportErrors {
  /** How many a report contains. */
  static final int MAX_REPORTED = 100;

  /** How many are stored; the file of bad rows has all of them. */
  static final int MAX_STORED = 10_000;

  /** How many a page has. */
  public static final int PAGE = 100;

  /**
   * A page.
   *
   * @param total how many are stored
   */
  public record Page(List<FileProblem> errors, int total) {
    public int pages() {
      return Math.ceilDiv(total, PAGE);
    }
  }

  private static final Sql DELETE =
      Sql.of("delete from import_error where merchant_id = :merchantId and import_id = :importId");
  private static final Sql ADD =
      Sql.of(
          """
          insert into import_error
            (merchant_id, import_id, number, row, art_no, column_name, value, code, arguments)
          values (:merchantId, :importId, :number, :row, :artNo, :column, :value, :code, :arguments)
          """);
  private static final Sql FIND =
      Sql.of(
          """
          select row, art_no, column_name, value, code, arguments from import_error
          where merchant_id = :merchantId and import_id = :importId
            and number > :after and number <= :after + :limit
          order by number
          """);
  private static final Sql COUNT =
      Sql.of(
          """
          select coalesce(max(number), 0) from import_error
          where merchant_id = :merchantId and import_id = :importId
          """);

  private final Cells cells;

  ImportErrors(Cells cells) {
    this.cells = cells;
  }

  /** Stores the errors of a job instead of those of an earlier attempt. */
  void replace(ImportJob job, List<FileProblem> errors) throws SQLException {
    cells
        .of(job.merchantId())
        .write(
            connection -> {
              DELETE
                  .on(connection)
                  .set("merchantId", job.merchantId())
                  .set("importId", job.importId())
                  .update();
              try (Sql.Batch batch = ADD.batch(connection)) {
                int number = 0;
                for (FileProblem error : errors) {
                  batch
                      .set("merchantId", job.merchantId())
                      .set("importId", job.importId())
                      .set("number", ++number)
                      .set("row", error.row())
                      .set("artNo", error.artNo())
                      .set("column", error.column())
                      .set("value", error.value())
                      .set("code", error.code().name())
                      .set("arguments", error.arguments().toArray(String[]::new))
                      .add();
                }
                batch.run();
              }
              return errors.size();
            });
  }

  /** A page of the errors; the first is 1. */
  Page page(int merchantId, int importId, int page) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection ->
                new Page(
                    FIND.on(connection)
                        .set("merchantId", merchantId)
                        .set("importId", importId)
                        .set("after", (page - 1) * PAGE)
                        .set("limit", PAGE)
                        .list(
                            row ->
                                new FileProblem(
                                    row.getInt("row"),
                                    row.getString("column_name"),
                                    row.getString("value"),
                                    ErrorCode.valueOf(row.getString("code")),
                                    Arrays.asList((String[]) row.getArray("arguments").getArray()),
                                    row.getString("art_no"))),
                    COUNT
                        .on(connection)
                        .set("merchantId", merchantId)
                        .set("importId", importId)
                        .one(row -> row.getInt(1))));
  }
}
