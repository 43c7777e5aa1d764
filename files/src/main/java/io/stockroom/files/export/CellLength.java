package io.stockroom.files.export;

import io.stockroom.core.call.Rejection;
import io.stockroom.core.database.Sql;
import io.stockroom.protocol.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Finds texts that are too long for a cell of a spreadsheet. Excel calls a file with such a cell
 * damaged, and a shortened text would change the product when the file is imported again.
 */
final class CellLength {
  /** Counted in UTF-16, as spreadsheets count: a character above U+FFFF is two. */
  static final int MAX_CHARACTERS = 32_767;

  /** The delimiters have the length of the real separators; escapes are added. */
  private static final Sql TOO_LONG =
      Sql.of(
          """
      with field as (
        select d.product_id, c.name, c.content, c.escaped
        from product_detail d cross join lateral (
          values ('description', d.description, ''),
                 ('imgs', array_to_string(d.imgs, '|'), ''),
                 ('attributes',
                  array_to_string(d.attribute_names, '...') || '..'
                    || array_to_string(d.attribute_values, ''),
                  '|:\\')
        ) c (name, content, escaped)
        where d.merchant_id = :merchantId and length(c.content) > :half
      ), counted as (
        select product_id, name,
               length(content)
                 + length(regexp_replace(content, '[^\\U00010000-\\U0010ffff]', '', 'g'))
                 + length(content) - length(translate(content, escaped, '')) as characters
        from field
      )
      select p.art_no, c.name, c.characters, count(*) over () as cells
      from counted c join product p on p.merchant_id = :merchantId and p.product_id = c.product_id
      where c.characters > :max
      order by p.product_id limit 1
      """);

  private CellLength() {}

  static @Nullable Rejection check(Connection connection, int merchantId) throws SQLException {
    return TOO_LONG
        .on(connection)
        .set("merchantId", merchantId)
        .set("half", MAX_CHARACTERS / 2)
        .set("max", MAX_CHARACTERS)
        .first(
            row ->
                Rejection.of(
                    row.getString("name"),
                    ErrorCode.EXPORT_CELL_TOO_LONG,
                    row.getString("art_no"),
                    row.getInt("characters"),
                    MAX_CHARACTERS,
                    row.getInt("cells")));
  }
}
