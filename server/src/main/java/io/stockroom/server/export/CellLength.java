package io.stockroom.server.export;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.server.call.Refused;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Looks for texts that no cell of a spreadsheet holds. A file with such a cell would be called
 * damaged when it is opened, and one with a shortened text would change the product when it comes
 * back.
 */
final class CellLength {
  /** Counted as spreadsheets count, in UTF-16: a character beyond the first 65,536 is two. */
  static final int MOST_CHARACTERS = 32_767;

  /** What stands between names and values is as long as their separators; escapes come on top. */
  private static final String TOO_LONG =
      """
      with cell as (
        select d.product_id, c.name, c.content, c.escaped
        from product_detail d cross join lateral (
          values ('description', d.description, ''),
                 ('imgs', array_to_string(d.imgs, '|'), ''),
                 ('attributes',
                  array_to_string(d.attribute_names, '...') || '..'
                    || array_to_string(d.attribute_values, ''),
                  '|:\\')
        ) c (name, content, escaped)
        where d.merchant_id = ? and length(c.content) > ?
      ), counted as (
        select product_id, name,
               length(content)
                 + length(regexp_replace(content, '[^\\U00010000-\\U0010ffff]', '', 'g'))
                 + length(content) - length(translate(content, escaped, '')) as characters
        from cell
      )
      select p.art_no, c.name, c.characters, count(*) over () as cells
      from counted c join product p on p.merchant_id = ? and p.product_id = c.product_id
      where c.characters > ?
      order by p.product_id limit 1
      """;

  private CellLength() {}

  static @Nullable Refused refusal(Connection connection, int merchantId) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TOO_LONG)) {
      statement.setInt(1, merchantId);
      statement.setInt(2, MOST_CHARACTERS / 2);
      statement.setInt(3, merchantId);
      statement.setInt(4, MOST_CHARACTERS);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Refused.of(
                row.getString(2),
                ErrorCode.EXPORT_CELL_TOO_LONG,
                row.getString(1),
                row.getInt(3),
                MOST_CHARACTERS,
                row.getInt(4))
            : null;
      }
    }
  }
}
