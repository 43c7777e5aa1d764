package io.stockroom.server.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.copy.CopyManager;
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

  // Not through PGConnection: its package names annotations of a library that is not on our path.
  private static CopyManager copies(Connection connection) throws SQLException {
    return new CopyManager(connection.unwrap(BaseConnection.class));
  }
}
