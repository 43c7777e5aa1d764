package io.stockroom.client.mirror;

import io.stockroom.client.ProductStock;
import io.stockroom.client.StockChange;
import io.stockroom.client.StockDigest;
import io.stockroom.client.StockEntry;
import io.stockroom.protocol.Size;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the copy in two tables of a database, such as PostgreSQL. Stock and cursor change in one
 * transaction, so the copy survives a crash of the program at any moment. Your own queries can join
 * the table {@code stockroom_entry}.
 */
public final class JdbcMirrorStore implements MirrorStore {
  private static final int BATCH = 1000;

  private final DataSource database;
  private final String name;

  /**
   * Uses the tables of a database; see {@link #createTables}.
   *
   * @param database where the tables are
   * @param name the name of the copy; each merchant needs its own
   */
  public JdbcMirrorStore(DataSource database, String name) {
    this.database = database;
    this.name = name;
  }

  /**
   * Creates the tables if they do not exist.
   *
   * @return this store
   */
  public JdbcMirrorStore createTables() {
    return transaction(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute(
                """
                create table if not exists stockroom_mirror (
                  name varchar(255) primary key,
                  position text not null
                )""");
            statement.execute(
                """
                create table if not exists stockroom_entry (
                  mirror varchar(255) not null,
                  pid int not null,
                  color varchar(255) not null,
                  size varchar(40) not null,
                  art_no text not null,
                  guid text not null,
                  bar_code text,
                  stock int not null,
                  primary key (mirror, pid, color, size)
                )""");
          }
          return this;
        });
  }

  @Override
  public Optional<String> cursor() {
    return transaction(
        connection -> {
          try (PreparedStatement find =
                  prepare(
                      connection, "select position from stockroom_mirror where name = ?", name);
              ResultSet row = find.executeQuery()) {
            return row.next() ? Optional.of(row.getString("position")) : Optional.empty();
          }
        });
  }

  @Override
  public void replaceAll(String cursor, Stream<ProductStock> products) {
    transaction(
        connection -> {
          int moved =
              update(
                  connection,
                  "update stockroom_mirror set position = ? where name = ?",
                  cursor,
                  name);
          if (moved == 0) {
            update(
                connection,
                "insert into stockroom_mirror (name, position) values (?, ?)",
                name,
                cursor);
          }
          update(connection, "delete from stockroom_entry where mirror = ?", name);
          return insert(connection, products);
        });
  }

  @Override
  public void apply(String from, String to, Collection<StockChange> changes) {
    transaction(
        connection -> {
          int moved =
              update(
                  connection,
                  "update stockroom_mirror set position = ? where name = ? and position = ?",
                  to,
                  name,
                  from);
          if (moved == 0) {
            throw MirrorStoreException.otherCursor(from);
          }
          return write(connection, newest(changes));
        });
  }

  private record Key(int pid, String color, Size size) {}

  private record Value(String artNo, StockChange.Entry entry) {}

  /** The last change of each entry: the others do not matter. */
  private static Map<Key, Value> newest(Collection<StockChange> changes) {
    Map<Key, Value> newest = new LinkedHashMap<>();
    for (StockChange change : changes) {
      for (StockChange.Entry entry : change.entries()) {
        newest.put(
            new Key(change.pid(), entry.color(), entry.size()), new Value(change.artNo(), entry));
      }
    }
    return newest;
  }

  private int write(Connection connection, Map<Key, Value> changed) throws SQLException {
    try (Batch delete =
            new Batch(
                connection,
                "delete from stockroom_entry where mirror = ? and pid = ? and color = ? and size = ?");
        Batch insert = new Batch(connection, INSERT)) {
      for (Key key : changed.keySet()) {
        delete.add(name, key.pid, key.color, key.size.text());
      }
      delete.run();
      for (Map.Entry<Key, Value> one : changed.entrySet()) {
        Key key = one.getKey();
        StockChange.Entry entry = one.getValue().entry;
        if (entry.after() != null) {
          String guid = entry.guid() == null ? "" : entry.guid();
          insert.add(
              name,
              key.pid,
              key.color,
              key.size.text(),
              one.getValue().artNo,
              guid,
              entry.barCode(),
              entry.after());
        }
      }
      insert.run();
    }
    return changed.size();
  }

  @Override
  public void replaceBlocks(Collection<Integer> blocks, Stream<ProductStock> products) {
    transaction(
        connection -> {
          for (int block : blocks) {
            int first = block * StockDigest.PRODUCTS_PER_BLOCK;
            update(
                connection,
                "delete from stockroom_entry where mirror = ? and pid between ? and ?",
                name,
                first,
                first + StockDigest.PRODUCTS_PER_BLOCK - 1);
          }
          return insert(connection, products);
        });
  }

  private static final String INSERT =
      """
      insert into stockroom_entry (mirror, pid, color, size, art_no, guid, bar_code, stock)
      values (?, ?, ?, ?, ?, ?, ?, ?)""";

  private int insert(Connection connection, Stream<ProductStock> products) throws SQLException {
    int count = 0;
    try (Batch insert = new Batch(connection, INSERT)) {
      for (Iterator<ProductStock> all = products.iterator(); all.hasNext(); ) {
        ProductStock product = all.next();
        for (StockEntry entry : product.entries()) {
          insert.add(
              name,
              product.pid(),
              entry.color(),
              entry.size().text(),
              product.artNo(),
              entry.guid(),
              entry.barCode(),
              entry.stock());
          count++;
        }
      }
      insert.run();
    }
    return count;
  }

  @Override
  public Optional<ProductStock> product(int pid) {
    List<ProductStock> found = new ArrayList<>();
    select("select * from stockroom_entry where mirror = ? and pid = ?", found::add, name, pid);
    return found.stream().findFirst();
  }

  @Override
  public void read(Consumer<ProductStock> reader) {
    select("select * from stockroom_entry where mirror = ? order by pid", reader, name);
  }

  /** Passes on each product when all of its rows are read. */
  private void select(String sql, Consumer<ProductStock> reader, Object... values) {
    transaction(
        connection -> {
          try (PreparedStatement statement = prepare(connection, sql, values)) {
            // inside a transaction, PostgreSQL then sends the rows as they are needed
            statement.setFetchSize(BATCH);
            try (ResultSet row = statement.executeQuery()) {
              return pass(row, reader);
            }
          }
        });
  }

  private static int pass(ResultSet row, Consumer<ProductStock> reader) throws SQLException {
    int pid = 0;
    String artNo = "";
    List<StockEntry> entries = new ArrayList<>();
    int products = 0;
    while (row.next()) {
      if (!entries.isEmpty() && row.getInt("pid") != pid) {
        reader.accept(new ProductStock(pid, artNo, entries));
        entries.clear();
        products++;
      }
      pid = row.getInt("pid");
      artNo = row.getString("art_no");
      entries.add(
          new StockEntry(
              row.getString("guid"),
              row.getString("bar_code"),
              row.getString("color"),
              Size.of(row.getString("size")),
              row.getInt("stock")));
    }
    if (!entries.isEmpty()) {
      reader.accept(new ProductStock(pid, artNo, entries));
      products++;
    }
    return products;
  }

  private interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  private <T> T transaction(Work<T> work) {
    try (Connection connection = database.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      boolean committed = false;
      try {
        T result = work.run(connection);
        connection.commit();
        committed = true;
        return result;
      } finally {
        if (!committed) {
          connection.rollback();
        }
        connection.setAutoCommit(autoCommit);
      }
    } catch (SQLException failed) {
      throw new MirrorStoreException(
          "The database of the mirror failed: " + failed.getMessage(), failed);
    }
  }

  private static int update(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, values)) {
      return statement.executeUpdate();
    }
  }

  private static PreparedStatement prepare(Connection connection, String sql, Object... values)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    bind(statement, values);
    return statement;
  }

  private static void bind(PreparedStatement statement, @Nullable Object... values)
      throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  /** Sends rows in batches. */
  private static final class Batch implements AutoCloseable {
    private final PreparedStatement statement;
    private int size;

    Batch(Connection connection, String sql) throws SQLException {
      this.statement = connection.prepareStatement(sql);
    }

    void add(@Nullable Object... values) throws SQLException {
      bind(statement, values);
      statement.addBatch();
      if (++size == BATCH) {
        run();
      }
    }

    void run() throws SQLException {
      if (size > 0) {
        statement.executeBatch();
        size = 0;
      }
    }

    @Override
    public void close() throws SQLException {
      statement.close();
    }
  }
}
