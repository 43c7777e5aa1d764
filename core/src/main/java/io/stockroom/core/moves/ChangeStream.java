package io.stockroom.core.moves;

import io.stockroom.core.database.ReplicationStream;
import io.stockroom.core.database.Sql;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/**
 * Follows what is written of a merchant in the old cell, and remembers the keys of the rows. Its
 * replication slot ends with its connection.
 */
final class ChangeStream implements AutoCloseable {
  private static final int MAX_ROWS = 200_000;
  private static final String LATE = "57014";

  private static final Sql MARK =
      Sql.of("select pg_logical_emit_message(true, 'stockroom', :mark)::text as position");

  private final CellSide source;
  private final ReplicationStream stream;
  private final WrittenRows rows = new WrittenRows();

  /**
   * Begins to follow. Waits for the transactions that are running.
   *
   * @param publication of the merchant's rows
   */
  ChangeStream(CellSide source, String publication) throws SQLException {
    this.source = source;
    this.stream = source.follow(publication);
  }

  /** Reads what has come; call it now and then, so that PostgreSQL does not wait for this. */
  void readPending() throws SQLException {
    for (ByteBuffer next = stream.poll(); next != null; next = stream.poll()) {
      rows.read(next);
    }
  }

  /** Whether so many rows were written that a new comparison is better. */
  boolean isLong() {
    return rows.count() > MAX_ROWS;
  }

  /** Reads everything that was committed before this call. */
  WrittenRows upToNow(Duration limit) throws SQLException {
    String mark = UUID.randomUUID().toString();
    String _ = MARK.on(source.connection()).set("mark", mark).one(row -> row.getString("position"));
    long end = System.nanoTime() + limit.toNanos();
    while (true) {
      readPending();
      if (rows.mark().equals(mark)) {
        return rows;
      }
      if (System.nanoTime() > end) {
        throw new SQLException("the changes do not arrive in time", LATE);
      }
      Pause.sleep();
    }
  }

  @Override
  public void close() throws SQLException {
    stream.close();
  }
}
