package io.stockroom.core.database;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The databases: the directory, and the cells in which the merchants' own data lives. Every
 * statement and every transaction uses one of them. Unless cells are added, there is one cell, in
 * the directory's database.
 */
public final class Cells extends CellWork implements AutoCloseable {
  /** The first cell. It also has what belongs to no merchant, such as the server's audit log. */
  public static final int MAIN = 1;

  private static final Logger log = LoggerFactory.getLogger(Cells.class);
  private static final int POLL_MILLIS = 900;
  private static final int MAX_PLACEMENTS = 1_000_000;

  private static final Sql PLACEMENTS =
      Sql.of("select merchant_id, cell_id from merchant where merchant_id = any (:merchantIds)");

  /** A cell that can be used. */
  public record Cell(int id, String name, Database database) {}

  private final Database directory;
  private final @Nullable CellSource opener;
  private final Cache<Integer, Integer> placements =
      Caffeine.newBuilder().maximumSize(MAX_PLACEMENTS).executor(Runnable::run).build();
  private final MovingMerchants moves = new MovingMerchants();
  private final List<IntConsumer> changeListeners = new CopyOnWriteArrayList<>();

  /** One for all cells, because a database has each listener once. */
  private final IntConsumer announcer = this::announce;

  private final StopSignal stop = new StopSignal();
  private volatile Map<Integer, Cell> cells = Map.of();

  /** The ids of all cells in the directory, also of those that cannot be used. */
  private volatile Set<Integer> listed = Set.of();

  /** Names of the cells that cannot be used, with the reason. */
  private volatile Map<String, String> unusable = Map.of();

  /** The database of all merchants, if there is one cell. */
  private volatile @Nullable Database only;

  private Cells(Database directory, @Nullable CellSource opener) {
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

  /** These databases, which are open; for a command. */
  public static Cells of(Database directory, Collection<Cell> cells) {
    Cells opened = new Cells(directory, null);
    cells.forEach(opened::add);
    return opened;
  }

  /**
   * The cells that the directory lists. One that cannot be reached is tried again and again.
   *
   * @throws StartException if a cell has a schema that this program does not know
   */
  public static Cells open(Database directory, CellSource opener) throws SQLException {
    Cells cells = new Cells(directory, opener);
    cells.refresh();
    cells.refreshMoves();
    return cells;
  }

  /** Looks for new cells, and for cells that can be used again, about once a second. */
  public void watch() {
    repeat("cells", POLL_MILLIS, this::refresh);
    // apart from the cells, because opening one that does not answer takes seconds
    repeat("moves", MovingMerchants.POLL_MILLIS, this::refreshMoves);
  }

  private void repeat(String name, int millis, Failures.Attempt task) {
    Thread.ofPlatform()
        .daemon()
        .name(name)
        .start(
            () -> {
              while (!stop.comesWithin(Duration.ofMillis(millis))) {
                try {
                  task.run();
                } catch (SQLException | RuntimeException failure) {
                  log.debug("cannot read the {}", name, failure);
                }
              }
            });
  }

  /** Reads which merchants are moving, and where those are that have moved lately. */
  public void refreshMoves() throws SQLException {
    if (only == null && opener != null) {
      if (!moves.refresh(directory, this::place)) {
        // moves may have begun and ended unseen
        placements.invalidateAll();
      }
    }
  }

  public Database directory() {
    return directory;
  }

  /** Whether every merchant's data is in the directory's database. */
  public boolean isSingle() {
    return only == directory;
  }

  /**
   * The database of the merchant's cell; 0 stands for what belongs to no merchant. If the merchant
   * moves to another cell, reads and transactions that begin later are done there.
   */
  public Database of(int merchantId) throws SQLException {
    Database single = only;
    if (single != null) {
      return single;
    }
    Database database = cell(place(merchantId)).database;
    return merchantId > 0 ? database.fenced(new MerchantFence(this, merchantId)) : database;
  }

  /** The cell of the merchant's data, as far as this node knows. */
  Database databaseOf(int merchantId) throws SQLException {
    Database single = only;
    return single == null ? cell(place(merchantId)).database : single;
  }

  /** The merchant's cell according to the directory. */
  Database locate(int merchantId) throws SQLException {
    look(List.of(merchantId));
    return databaseOf(merchantId);
  }

  /**
   * The database in which the merchant's data is now; it stays the same if the merchant moves. For
   * long reads of one moment.
   */
  public Database current(int merchantId) throws SQLException {
    if (only == null && !isSettled(merchantId)) {
      long began = System.nanoTime();
      MerchantFence fence = new MerchantFence(this, merchantId);
      for (Database at = databaseOf(merchantId); !fence.isIn(at); at = databaseOf(merchantId)) {
        fence.await(at, began);
      }
    }
    return databaseOf(merchantId);
  }

  /** Whether there is one cell. */
  boolean isAlone() {
    return only != null;
  }

  /** Whether this node is sure that the merchant is not moving. */
  boolean isSettled(int merchantId) {
    return only != null || merchantId == 0 || moves.isSettled(merchantId);
  }

  /** Whether this node is sure that the merchant is in that database, and not moving. */
  boolean isSettledIn(Database database, int merchantId) throws SQLException {
    return isSettled(merchantId) && databaseOf(merchantId) == database;
  }

  /** Whether the merchant is in that database; looks there unless this node is sure. */
  boolean isIn(Database database, int merchantId) throws SQLException {
    return isSettledIn(database, merchantId) || new MerchantFence(this, merchantId).isIn(database);
  }

  /** The cell of that id, if it can be used. */
  public @Nullable Cell byId(int cellId) {
    return cells.get(cellId);
  }

  /** How to log in to a cell; its owner may create publications and subscriptions. */
  public DatabaseRoles roles(CellTable.Row row) throws SQLException {
    if (opener == null) {
      throw new IllegalStateException("there is one cell, and no way to open others");
    }
    return opener.roles(row);
  }

  /** A name for the cell of a merchant; empty if there is one cell. */
  public String share(int merchantId) {
    return only == null ? String.valueOf(placements.asMap().getOrDefault(merchantId, MAIN)) : "";
  }

  /** The cells that can be used, in the order of their ids. */
  @Override
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
    Integer known = placements.getIfPresent(merchantId);
    if (known == null && merchantId > 0) {
      look(List.of(merchantId));
      known = placements.getIfPresent(merchantId);
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
  @Override
  public Map<Database, List<Integer>> split(Collection<Integer> merchantIds) throws SQLException {
    Database single = only;
    if (single != null) {
      return merchantIds.isEmpty() ? Map.of() : Map.of(single, List.copyOf(merchantIds));
    }
    List<Integer> unknown =
        merchantIds.stream().filter(id -> id > 0 && !placements.asMap().containsKey(id)).toList();
    if (!unknown.isEmpty()) {
      look(unknown);
    }
    Map<Database, List<Integer>> split = new LinkedHashMap<>();
    for (int merchantId : merchantIds) {
      Cell cell = cells.get(place(merchantId));
      if (cell != null && isSettled(merchantId)) {
        split.computeIfAbsent(cell.database, _ -> new ArrayList<>()).add(merchantId);
      } else if (cell != null) {
        split.put(cell.database.fenced(new MerchantFence(this, merchantId)), List.of(merchantId));
      }
    }
    return split;
  }

  /** Calls {@code listener} with each merchant that a transaction of this node has changed. */
  public void afterChange(IntConsumer listener) {
    changeListeners.add(listener);
  }

  private void announce(int merchantId) {
    changeListeners.forEach(listener -> listener.accept(merchantId));
  }

  /** Reads the cells of the directory, and opens those that are not open, or have moved. */
  public synchronized void refresh() throws SQLException {
    if (opener == null || stop.isSent()) {
      return;
    }
    List<CellTable.Row> rows = directory.read(CellTable::all);
    Map<String, String> failed = new TreeMap<>();
    for (CellTable.Row row : rows) {
      if (!cells.containsKey(row.id()) || opener.isMoved(row)) {
        try {
          add(new Cell(row.id(), row.name(), opener.open(row)));
        } catch (SQLException | StartException failure) {
          if (listed.isEmpty() && failure instanceof StartException unknownSchema) {
            throw unknownSchema;
          }
          remove(row.id());
          failed.put(row.name(), Failures.reason(failure));
          if (!unusable.containsKey(row.name())) {
            log.error(
                "The cell {} cannot be used, and its merchants are answered 503: {}",
                row.name(),
                Failures.reason(failure));
          }
        }
      }
    }
    unusable = Map.copyOf(failed);
    Set<Integer> removed = new TreeSet<>(cells.keySet());
    rows.forEach(row -> removed.remove(row.id()));
    for (int cellId : removed) {
      remove(cellId);
      opener.forget(cellId);
    }
    listed = rows.stream().map(CellTable.Row::id).collect(Collectors.toUnmodifiableSet());
    Cell main = cells.get(MAIN);
    only = rows.size() == 1 && main != null ? main.database : null;
  }

  private void add(Cell cell) {
    Map<Integer, Cell> more = new TreeMap<>(cells);
    more.put(cell.id, cell);
    cell.database.afterChange(announcer);
    cells = more;
  }

  private void remove(int cellId) {
    Map<Integer, Cell> fewer = new TreeMap<>(cells);
    fewer.remove(cellId);
    cells = fewer;
  }

  /** Closes the directory, too. */
  @Override
  public void close() {
    stop.send();
    synchronized (this) {
      if (opener != null) {
        opener.close();
      }
    }
    directory.close();
  }
}
