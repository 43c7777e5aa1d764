package io.stockroom.core.moves;

import io.stockroom.core.database.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The move of a merchant to another cell.
 *
 * @param message what it waits for, or why it failed; empty: nothing
 * @param rowsTotal an estimate
 * @param attempts failed attempts to switch
 * @param pauseMillis how long the merchant's writes waited; null before the switch
 */
public record Move(
    int id,
    int merchantId,
    int fromCell,
    String from,
    int toCell,
    String to,
    Phase phase,
    String message,
    long rowsCopied,
    long rowsTotal,
    int attempts,
    @Nullable Integer pauseMillis,
    Instant createdAt,
    @Nullable Instant announcedAt,
    @Nullable Instant endedAt) {
  static final String COLUMNS =
      """
      v.move_id, v.merchant_id, v.from_cell, f.name as from_name, v.to_cell, t.name as to_name,
      v.phase, v.message, v.rows_copied, v.rows_total, v.mismatches, v.pause_millis, v.created_at,
      v.announced_at, v.ended_at
      """;

  static final String TABLES =
      """
      merchant_move v join cell f on f.cell_id = v.from_cell join cell t on t.cell_id = v.to_cell
      """;

  /** Whether it can still be cancelled. */
  public boolean isCancellable() {
    return phase.compareTo(Phase.CATCHING_UP) <= 0;
  }

  /** How much is copied, as far as this is known. */
  public int percent() {
    return rowsTotal == 0 ? 0 : (int) Math.min(100, rowsCopied * 100 / rowsTotal);
  }

  /** How far a move has come. Up to {@link #CATCHING_UP}, the merchant lives in the old cell. */
  public enum Phase {
    WAITING,
    COPYING,
    CATCHING_UP,
    CLEANING,
    CANCELLING,
    DONE,
    CANCELLED,
    FAILED;

    /** As the directory stores it. */
    public String text() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }

    static Phase of(String text) {
      return valueOf(text.toUpperCase(java.util.Locale.ROOT).replace('-', '_'));
    }
  }

  static Move read(ResultSet row) throws SQLException {
    return new Move(
        row.getInt("move_id"),
        row.getInt("merchant_id"),
        row.getInt("from_cell"),
        row.getString("from_name"),
        row.getInt("to_cell"),
        row.getString("to_name"),
        Phase.of(row.getString("phase")),
        row.getString("message"),
        row.getLong("rows_copied"),
        row.getLong("rows_total"),
        row.getInt("mismatches"),
        row.getObject("pause_millis") == null ? null : row.getInt("pause_millis"),
        Sql.instant(row, "created_at"),
        Sql.instantOrNull(row, "announced_at"),
        Sql.instantOrNull(row, "ended_at"));
  }
}
