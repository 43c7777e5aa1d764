package io.stockroom.core.moves;

import io.stockroom.core.database.Sql;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.postgresql.core.BaseConnection;
import org.postgresql.replication.PGReplicationConnection;
import org.postgresql.replication.PGReplicationConnectionImpl;
import org.postgresql.replication.PGReplicationStream;

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
  private final Connection connection;
  private final PGReplicationStream stream;
  private final WrittenRows rows = new WrittenRows();

  /**
   * Begins to follow. Waits for the transactions that are running.
   *
   * @param publication of the merchant's rows
   */
  ChangeStream(CellSide source, String publication) throws SQLException {
    this.source = source;
    this.connection = source.replication();
    try {
      PGReplicationConnection replication =
          new PGReplicationConnectionImpl(connection.unwrap(BaseConnection.class));
      String slot = publication + "_rows";
      replication
          .createReplicationSlot()
          .logical()
          .withSlotName(slot)
          .withOutputPlugin("pgoutput")
          .withTemporaryOption()
          .make();
      stream =
          replication
              .replicationStream()
              .logical()
              .withSlotName(slot)
              .withSlotOption("proto_version", 1)
              .withSlotOption("publication_names", publication)
              .withSlotOption("messages", true)
              .withStatusInterval(1, TimeUnit.SECONDS)
              .start();
    } catch (SQLException | RuntimeException failure) {
      connection.close();
      throw failure;
    }
  }

  /** Reads what has come; call it now and then, so that PostgreSQL does not wait for this. */
  void readPending() throws SQLException {
    for (ByteBuffer next = stream.readPending(); next != null; next = stream.readPending()) {
      rows.read(next);
      stream.setAppliedLSN(stream.getLastReceiveLSN());
      stream.setFlushedLSN(stream.getLastReceiveLSN());
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
    connection.close();
  }
}
