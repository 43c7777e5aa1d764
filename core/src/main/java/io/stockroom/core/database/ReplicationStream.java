package io.stockroom.core.database;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.replication.PGReplicationConnection;
import org.postgresql.replication.PGReplicationConnectionImpl;
import org.postgresql.replication.PGReplicationStream;

/**
 * What is written to the tables of a publication. Its replication slot ends with its connection.
 */
public final class ReplicationStream implements AutoCloseable {
  private final Connection connection;
  private final PGReplicationStream stream;

  /** Begins to follow. Waits for the transactions that are running. */
  ReplicationStream(Connection connection, String publication) throws SQLException {
    this.connection = connection;
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

  /** The next message of pgoutput; null if none has come. Confirms those before it. */
  public @Nullable ByteBuffer poll() throws SQLException {
    stream.setAppliedLSN(stream.getLastReceiveLSN());
    stream.setFlushedLSN(stream.getLastReceiveLSN());
    return stream.readPending();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
