package io.stockroom.files.imports;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.files.imports.plan.ImportTransaction;
import io.stockroom.files.imports.read.Choices;
import io.stockroom.files.imports.read.ImportOptions;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * What imports remember of a merchant: the meaning of columns, and the words for what is missing.
 */
record ImportMemory(Cells cells) {
  private static final Sql REMEMBERED =
      Sql.of("select column_name, field from import_column where merchant_id = :merchantId");
  private static final Sql REMEMBER =
      Sql.of(
          """
          insert into import_column (merchant_id, column_name, field)
          values (:merchantId, :column, :field)
          on conflict (merchant_id, column_name) do update set field = excluded.field
          """);
  private static final Sql WORDS =
      Sql.of("select only_color, only_size from merchant_data where merchant_id = :merchantId");
  private static final Sql REMEMBER_WORDS =
      Sql.of(
          """
          update merchant_data set only_color = :color, only_size = :size
          where merchant_id = :merchantId
            and (only_color, only_size) is distinct from (:color::text, :size::text)
          """);

  /** A person's choices, completed by what the merchant calls a missing color and size. */
  Choices choices(int merchantId, ImportOptions options) throws SQLException {
    Choices own =
        cells
            .of(merchantId)
            .read(
                connection ->
                    WORDS
                        .on(connection)
                        .set("merchantId", merchantId)
                        .one(
                            row ->
                                options
                                    .choices()
                                    .orElse(
                                        row.getString("only_color"), row.getString("only_size"))));
    return switch (options.language()) {
      case ENGLISH -> own.orElse("Default", "One size");
      case CHINESE -> own.orElse("默认", "均码");
    };
  }

  /** Keeps the words for the merchant's next files, whatever the language of their people. */
  static void keepWords(ImportTransaction transaction, int merchantId, Choices choices)
      throws SQLException {
    transaction
        .call(REMEMBER_WORDS)
        .set("merchantId", merchantId)
        .set("color", choices.onlyColor())
        .set("size", choices.onlySize())
        .update();
  }

  /** How people mapped the columns of earlier files. */
  Map<String, String> columns(int merchantId) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection -> {
              Map<String, String> columns = new HashMap<>();
              REMEMBERED
                  .on(connection)
                  .set("merchantId", merchantId)
                  .forEach(
                      row -> columns.put(row.getString("column_name"), row.getString("field")));
              return columns;
            });
  }

  void keepColumns(int merchantId, Map<String, String> columns) throws SQLException {
    for (Map.Entry<String, String> column : columns.entrySet()) {
      cells
          .of(merchantId)
          .write(
              connection ->
                  REMEMBER
                      .on(connection)
                      .set("merchantId", merchantId)
                      .set("column", column.getKey())
                      .set("field", column.getValue())
                      .update());
    }
  }
}
