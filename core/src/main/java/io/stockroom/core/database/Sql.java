package io.stockroom.core.database;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A SQL statement with named parameters such as {@code :merchantId}. Parsing happens once, so keep
 * each statement in a constant and call {@link #on} for every execution.
 */
public final class Sql {
  /** Reads the current row. */
  public interface RowReader<T extends @Nullable Object> {
    T map(ResultSet row) throws SQLException;
  }

  /** Reads the current row for its effect only. */
  public interface RowConsumer {
    void accept(ResultSet row) throws SQLException;
  }

  /** Stands for a parameter that was never set, because null is a value. */
  private enum Unset {
    UNSET
  }

  private final String text;

  /** The name of the parameter at each position. */
  private final List<String> names;

  private final boolean writes;

  private Sql(String text, List<String> names, boolean writes) {
    this.text = text;
    this.names = names;
    this.writes = writes;
  }

  /** Parses {@code :name} parameters; {@code ::casts}, quoted text and comments stay untouched. */
  public static Sql of(String text) {
    List<String> names = new ArrayList<>();
    StringBuilder positional = new StringBuilder(text.length());
    boolean writes = false;
    int at = 0;
    while (at < text.length()) {
      int end = SqlText.endOfToken(text, at);
      if (SqlText.isParameter(text, at)) {
        names.add(text.substring(at + 1, end));
        positional.append('?');
      } else {
        positional.append(text, at, end);
        writes |= SqlText.isWrite(text, at, end);
      }
      at = end;
    }
    return new Sql(positional.toString(), List.copyOf(names), writes);
  }

  /** Starts an execution on this connection. */
  public Call on(Connection connection) {
    return new Call(connection);
  }

  /** Prepares a statement that runs many times with different values. */
  public Batch batch(Connection connection) throws SQLException {
    return new Batch(connection);
  }

  /** Reads a {@code timestamptz} that is never null. */
  public static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  /** Reads a {@code timestamptz}; null where the column is. */
  public static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  /** Reads a {@code text[]} that is never null. */
  public static List<String> texts(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    return List.of((String[]) array.getArray());
  }

  @Override
  public String toString() {
    return text;
  }

  private void assign(@Nullable Object[] values, String name, @Nullable Object value) {
    boolean known = false;
    for (int i = 0; i < values.length; i++) {
      if (names.get(i).equals(name)) {
        values[i] = value;
        known = true;
      }
    }
    if (!known) {
      throw new IllegalArgumentException("no parameter :" + name + " in: " + text);
    }
  }

  private void bind(PreparedStatement statement, @Nullable Object[] values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      Object value = values[i];
      if (value instanceof Unset) {
        throw new IllegalStateException("parameter :" + names.get(i) + " has no value in: " + text);
      }
      statement.setObject(
          i + 1, value instanceof Instant instant ? instant.atOffset(ZoneOffset.UTC) : value);
    }
  }

  /** A read may run again after a lost connection, so nothing may write in it. */
  private void requireMayWrite(Connection connection) throws SQLException {
    if (writes && connection.isReadOnly()) {
      throw new IllegalStateException("a read must not write: " + text);
    }
  }

  private @Nullable Object[] unset() {
    @Nullable Object[] values = new Object[names.size()];
    Arrays.fill(values, Unset.UNSET);
    return values;
  }

  /** One execution: set every parameter, then read or update. */
  public final class Call {
    private final Connection connection;
    private final @Nullable Object[] values = unset();
    private int fetchSize;

    private Call(Connection connection) {
      this.connection = connection;
    }

    /** The connection that it runs on. */
    public Connection connection() {
      return connection;
    }

    public Call set(String name, @Nullable Object value) {
      assign(values, name, value);
      return this;
    }

    /** Streams the rows in portions of this size; only works inside a transaction. */
    public Call fetchSize(int rows) {
      fetchSize = rows;
      return this;
    }

    /** Executes the statement and returns the number of affected rows. */
    public int update() throws SQLException {
      try (PreparedStatement statement = prepare()) {
        return statement.execute() ? 0 : Math.max(0, statement.getUpdateCount());
      }
    }

    /** Maps every row. */
    public <T> List<T> list(RowReader<T> mapper) throws SQLException {
      List<T> rows = new ArrayList<>();
      forEach(row -> rows.add(mapper.map(row)));
      return rows;
    }

    /** Maps the first row; null if there is none. */
    public <T> @Nullable T first(RowReader<? extends @Nullable T> mapper) throws SQLException {
      try (PreparedStatement statement = prepare();
          ResultSet row = statement.executeQuery()) {
        return row.next() ? mapper.map(row) : null;
      }
    }

    /** Maps the first row of a statement that always returns one. */
    public <T extends @Nullable Object> T one(RowReader<T> mapper) throws SQLException {
      try (PreparedStatement statement = prepare();
          ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new SQLException("no row from: " + text);
        }
        return mapper.map(row);
      }
    }

    /** Whether the statement returns at least one row. */
    public boolean exists() throws SQLException {
      try (PreparedStatement statement = prepare();
          ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }

    public void forEach(RowConsumer consumer) throws SQLException {
      try (PreparedStatement statement = prepare();
          ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          consumer.accept(row);
        }
      }
    }

    /**
     * Reads the results of several statements, separated by semicolons, that run in one round trip:
     * one consumer for each.
     */
    public void forEachOfEach(RowConsumer... consumers) throws SQLException {
      try (PreparedStatement statement = prepare()) {
        statement.execute();
        for (RowConsumer consumer : consumers) {
          try (ResultSet row = statement.getResultSet()) {
            while (row.next()) {
              consumer.accept(row);
            }
          }
          statement.getMoreResults();
        }
      }
    }

    @Override
    public String toString() {
      return text;
    }

    private PreparedStatement prepare() throws SQLException {
      requireMayWrite(connection);
      PreparedStatement statement = connection.prepareStatement(text);
      try {
        bind(statement, values);
        if (fetchSize > 0) {
          statement.setFetchSize(fetchSize);
        }
        return statement;
      } catch (SQLException | RuntimeException failure) {
        statement.close();
        throw failure;
      }
    }
  }

  /** Many executions in one round trip: set every parameter, {@link #add}, and {@link #run}. */
  public final class Batch implements AutoCloseable {
    private final PreparedStatement statement;
    private final @Nullable Object[] values = unset();

    private Batch(Connection connection) throws SQLException {
      requireMayWrite(connection);
      statement = connection.prepareStatement(text);
    }

    public Batch set(String name, @Nullable Object value) {
      assign(values, name, value);
      return this;
    }

    public void add() throws SQLException {
      bind(statement, values);
      statement.addBatch();
      Arrays.fill(values, Unset.UNSET);
    }

    public void run() throws SQLException {
      statement.executeBatch();
    }

    @Override
    public void close() throws SQLException {
      statement.close();
    }
  }
}
