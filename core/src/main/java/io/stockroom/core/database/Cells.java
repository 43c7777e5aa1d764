package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The databases: the directory, and the cells in which the merchants' own data lives. Every
 * statement and every transaction uses one of them. Unless cells are added, there is one cell, in
 * the directory's database.
 */
public final class Cells implements AutoCloseable {
  /** The first cell. It also has what belongs to no merchant, such as the server's audit log. */
  public static final int MAIN = 1;

  private static final Logger log = LoggerFactory.getLogger(Cells.class);
  private static final int POLL_MILLIS = 900;
  private static final int MAX_PLACEMENTS = 1_000_000;

  private static final Sql PLACEMENTS =
      Sql.of("select merchant_id, cell_id from merchant where merchant_id = any (:merchantIds)");

  /** A cell that can be used. */
  public record Cell(int id, String name, Database database) {}

  /** Opens the database of a cell and brings its schema up to date. */
  public interface Opener {
    /** Fails if the database cannot be reached, or if its schema is unknown to this program. */
    Database open(CellTable.Row row) throws SQLException;

    /** Closes every database that it has opened. */
    void close();
  }

  /** Work on the database of one cell. */
  public interface Task {
    void run(Database database) throws SQLException;
  }

  private final Database directory;
  private final @Nullable Opener opener;
  private final Map<Integer, Integer> placements = new ConcurrentHashMap<>();
  private final List<IntConsumer> changeListeners = new CopyOnWriteArrayList<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final AtomicInteger turn = new AtomicInteger();
  private volatile Map<Integer, Cell> cells = Map.of();

  /** The ids of all cells in the directory, also of those that cannot be used. */
  private volatile Set<Integer> listed = Set.of();

  /** Names of the cells that cannot be used, with the reason. */
  private volatile Map<String, String> unusable = Map.of();

  /** The database of all merchants, if there is one cell. */
  private volatile @Nullable Database only;

  private Cells(Database directory, @Nullable Opener opener) {
    this.directory = directory;
    this.opener = opener;
  }

  /** One cell, in the directory's database. */
  public static Cells single(Database database) {
    Cells single = new Cells(database, null);
    single.add(new Cell(MAIN, "main", database));
    single.only = database;
    return single;
  }

  /**
   * The cells that the directory lists. One that cannot be reached is tried again and again.
   *
   * @throws StartException if a cell has a schema that this program does not know
   */
  public static Cells open(Database directory, Opener opener) throws SQLException {
    Cells cells = new Cells(directory, opener);
    cells.refresh();
    return cells;
  }

  /** Looks for new cells, and for cells that can be used again, about once a second. */
  public void watch() {
    Thread.ofPlatform()
        .daemon()
        .name("cells")
        .start(
            () -> {
              while (!isClosing()) {
                try {
                  refresh();
                } catch (SQLException | RuntimeException failure) {
                  log.debug("cannot read the cells", failure);
                }
              }
            });
  }

  private boolean isClosing() {
    try {
      return closing.await(POLL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  public Database directory() {
    return directory;
  }

  /** Whether every merchant's data is in the directory's database. */
  public boolean isSingle() {
    return only == directory;
  }

  /** The database of the merchant's cell; 0 stands for what belongs to no merchant. */
  public Database of(int merchantId) throws SQLException {
    Database single = only;
    return single == null ? cell(place(merchantId)).database : single;
  }

  /** A name for the cell of a merchant; empty if there is one cell. */
  public String share(int merchantId) {
    return only == null ? String.valueOf(placements.getOrDefault(merchantId, MAIN)) : "";
  }

  /** The cells that can be used, in the order of their ids. */
  public Collection<Cell> all() {
    return cells.values();
  }

  /** The names of the cells that cannot be used, with the reason. */
  public Map<String, String> unusable() {
    return unusable;
  }

  /** Remembers where a merchant's data is; who reads the merchant anyway tells it. */
  public void place(int merchantId, int cellId) {
    if (only != null && cells.containsKey(cellId)) {
      return;
    }
    if (placements.size() >= MAX_PLACEMENTS) {
      placements.clear();
    }
    placements.put(merchantId, cellId);
    if (only != null) {
      // another node has just added this cell
      try {
        refresh();
      } catch (SQLException | RuntimeException failure) {
        log.debug("cannot read the cells", failure);
      }
    }
  }

  private int place(int merchantId) throws SQLException {
    Integer known = placements.get(merchantId);
    if (known == null && merchantId > 0) {
      look(List.of(merchantId));
      known = placements.get(merchantId);
    }
    return known == null ? MAIN : known;
  }

  private void look(List<Integer> merchantIds) throws SQLException {
    directory.read(
        connection -> {
          PLACEMENTS
              .on(connection)
              .set("merchantIds", merchantIds.toArray(Integer[]::new))
              .forEach(row -> place(row.getInt("merchant_id"), row.getInt("cell_id")));
          return merchantIds;
        });
  }

  private Cell cell(int id) throws SQLException {
    Cell cell = cells.get(id);
    if (cell == null && !listed.contains(id)) {
      refresh();
      cell = cells.get(id);
    }
    if (cell == null) {
      throw new SQLTransientConnectionException("cell " + id + " cannot be used now", "08006");
    }
    return cell;
  }

  /** Splits merchants by the database of their cell; leaves out cells that cannot be used. */
  public Map<Database, List<Integer>> split(Collection<Integer> merchantIds) throws SQLException {
    Database single = only;
    if (single != null) {
      return merchantIds.isEmpty() ? Map.of() : Map.of(single, List.copyOf(merchantIds));
    }
    List<Integer> unknown =
        merchantIds.stream().filter(id -> id > 0 && !placements.containsKey(id)).toList();
    if (!unknown.isEmpty()) {
      look(unknown);
    }
    Map<Database, List<Integer>> split = new LinkedHashMap<>();
    for (int merchantId : merchantIds) {
      Cell cell = cells.get(place(merchantId));
      if (cell != null) {
        split.computeIfAbsent(cell.database, _ -> new ArrayList<>()).add(merchantId);
      }
    }
    return split;
  }

  /** Creates a batched read of merchants' data; create it once and share it. */
  public <K, V extends @Nullable Object> CellReads<K, V> batched(
      ToIntFunction<K> merchant, BatchedRead.Statement<K, V> statement) {
    return new CellReads<>(this, merchant, database -> database.batched(statement));
  }

  /** As {@link #batched}, for values that take long to read. */
  public <K, V extends @Nullable Object> CellReads<K, V> batchedLarge(
      ToIntFunction<K> merchant, BatchedRead.Statement<K, V> statement) {
    return new CellReads<>(this, merchant, database -> database.batchedLarge(statement));
  }

  /** As {@link #batched}; in each cell, statements run one after the other. */
  public <K, V extends @Nullable Object> CellReads<K, V> batchedInTurn(
      ToIntFunction<K> merchant, BatchedRead.Statement<K, V> statement) {
    return new CellReads<>(this, merchant, database -> database.batchedInTurn(statement));
  }

  /** Does something in every cell, whatever fails in others; then throws the first failure. */
  public void each(Task task) throws SQLException {
    Failures failures = new Failures();
    for (Cell cell : all()) {
      failures.attempt(() -> task.run(cell.database));
    }
    failures.rethrow();
  }

  /** As {@link #each(Task)}, for some merchants; cells that cannot be used are left out. */
  public void each(Collection<Integer> merchantIds, PartTask task) throws SQLException {
    Failures failures = new Failures();
    for (Map.Entry<Database, List<Integer>> part : split(merchantIds).entrySet()) {
      failures.attempt(() -> task.run(part.getKey(), part.getValue()));
    }
    failures.rethrow();
  }

  /** Work on the database of one cell, for some of its merchants. */
  public interface PartTask {
    void run(Database database, List<Integer> merchantIds) throws SQLException;
  }

  /** Looks for something in one cell. */
  public interface Finder<T> {
    @Nullable T find(Database database) throws SQLException;
  }

  /** Asks the cells in turn until one has something; another that fails matters only then. */
  public <T> @Nullable T first(Finder<T> finder) throws SQLException {
    List<Cell> asked = new ArrayList<>(all());
    Collections.rotate(asked, turn.getAndIncrement());
    @Nullable SQLException failed = null;
    for (Cell cell : asked) {
      try {
        T found = finder.find(cell.database);
        if (found != null) {
          return found;
        }
      } catch (SQLException failure) {
        failed = failure;
      }
    }
    if (failed != null) {
      throw failed;
    }
    return null;
  }

  /** Reads from every cell; leaves out those that do not answer, unless none does. */
  public <T> List<T> list(Database.Work<List<T>> work) throws SQLException {
    Collection<Cell> asked = all();
    List<T> found = new ArrayList<>();
    int answered = 0;
    @Nullable SQLException silence = null;
    for (Cell cell : asked) {
      try {
        found.addAll(cell.database.read(work));
        answered++;
      } catch (SQLException failure) {
        if (!Database.isUnavailable(failure)) {
          throw failure;
        }
        silence = failure;
      }
    }
    if (answered == 0 && silence != null) {
      throw silence;
    }
    return found;
  }

  /** As {@link #list}, for some merchants: each cell is asked for its own. */
  public <T> List<T> list(Collection<Integer> merchantIds, Part<T> part) throws SQLException {
    List<T> found = new ArrayList<>();
    @Nullable SQLException silence = null;
    Map<Database, List<Integer>> parts = split(merchantIds);
    for (Map.Entry<Database, List<Integer>> each : parts.entrySet()) {
      try {
        found.addAll(each.getKey().read(connection -> part.read(connection, each.getValue())));
      } catch (SQLException failure) {
        if (parts.size() == 1 || !Database.isUnavailable(failure)) {
          throw failure;
        }
        silence = failure;
      }
    }
    if (silence != null) {
      log.debug("a cell was left out", silence);
    }
    return found;
  }

  /** Reads something of some merchants, all of one cell. */
  public interface Part<T> {
    List<T> read(Connection connection, List<Integer> merchantIds) throws SQLException;
  }

  /** Calls {@code listener} with each merchant that a transaction of this node has changed. */
  public void afterChange(IntConsumer listener) {
    changeListeners.add(listener);
  }

  /** Reads the cells of the directory, and opens those that are not open. */
  public synchronized void refresh() throws SQLException {
    if (opener == null || closing.getCount() == 0) {
      return;
    }
    List<CellTable.Row> rows = directory.read(CellTable::all);
    Map<String, String> failed = new TreeMap<>();
    for (CellTable.Row row : rows) {
      if (!cells.containsKey(row.id())) {
        try {
          add(new Cell(row.id(), row.name(), opener.open(row)));
        } catch (SQLException | StartException failure) {
          if (listed.isEmpty() && failure instanceof StartException unknownSchema) {
            throw unknownSchema;
          }
          failed.put(row.name(), String.valueOf(failure.getMessage()));
          if (!unusable.containsKey(row.name())) {
            log.error(
                "The cell {} cannot be used, and its merchants are answered 503: {}",
                row.name(),
                failure.getMessage());
          }
        }
      }
    }
    unusable = Map.copyOf(failed);
    listed = rows.stream().map(CellTable.Row::id).collect(Collectors.toUnmodifiableSet());
    Cell main = cells.get(MAIN);
    only = rows.size() == 1 && main != null ? main.database : null;
    directory.failFast(!isSingle());
  }

  private void add(Cell cell) {
    Map<Integer, Cell> more = new TreeMap<>(cells);
    more.put(cell.id, cell);
    cell.database.afterChange(
        merchantId -> changeListeners.forEach(listener -> listener.accept(merchantId)));
    cells = more;
  }

  /** Closes the directory, too. */
  @Override
  public void close() {
    closing.countDown();
    synchronized (this) {
      if (opener != null) {
        opener.close();
      }
    }
    directory.close();
  }
}
