package io.stockroom.core.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;
import org.postgresql.copy.PGCopyOutputStream;
import org.postgresql.core.BaseConnection;

/** PostgreSQL's own way to move whole tables: rows as a stream of text, none kept in memory. */
public final class TableCopy {
  private static final int BUFFER = 1 << 16;

  /** Is told how far a copy has come, many times. */
  public interface Watcher {
    void copied(String table, long rows);
  }

  /** Writes rows in the text form of {@code copy}. */
  public interface Rows {
    void write(OutputStream to) throws IOException;
  }

  /** The rows of a running copy, to be fetched to the last. */
  public static final class RowStream implements AutoCloseable {
    private final Connection connection;
    private final CopyOut copy;

    private RowStream(Connection connection, CopyOut copy) {
      this.connection = connection;
      this.copy = copy;
    }

    /** The next row as PostgreSQL sends it, or null after the last. */
    public byte @Nullable [] next() throws SQLException {
      return copy.readFromCopy();
    }

    /**
     * Closed before its end it gives the connection up: to cancel could hit a later statement, if
     * the copy ends by itself meanwhile.
     */
    @Override
    public void close() throws SQLException {
      if (copy.isActive()) {
        connection.abort(Runnable::run);
      }
    }
  }

  private TableCopy() {}

  /** Streams what a {@code copy … to stdout} gives, and says how many rows that were. */
  public static long out(Connection connection, String statement, OutputStream to)
      throws SQLException, IOException {
    return copies(connection).copyOut(statement, to);
  }

  /** Streams into a {@code copy … from stdin}, and says how many rows that were. */
  public static long in(Connection connection, String statement, InputStream from)
      throws SQLException, IOException {
    return copies(connection).copyIn(statement, from, BUFFER);
  }

  /** As above, for rows that are made on the way. */
  public static long in(Connection connection, String statement, Rows rows)
      throws SQLException, IOException {
    PGCopyOutputStream copy = new PGCopyOutputStream(copies(connection).copyIn(statement), BUFFER);
    try {
      rows.write(copy);
      return copy.endCopy();
    } finally {
      // whatever failed, the connection must not be left waiting for more rows
      if (copy.isActive()) {
        copy.cancelCopy();
      }
    }
  }

  /** Begins a {@code copy … to stdout} whose rows are fetched one by one, as they are needed. */
  public static RowStream rows(Connection connection, String statement) throws SQLException {
    return new RowStream(connection, copies(connection).copyOut(statement));
  }

  // Not through PGConnection: its package names annotations of a library that is not on our path.
  private static CopyManager copies(Connection connection) throws SQLException {
    return new CopyManager(connection.unwrap(BaseConnection.class));
  }
}
