package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work on several cells. */
public abstract sealed class CellWork permits Cells {
  private static final Logger log = LoggerFactory.getLogger(CellWork.class);

  private final AtomicInteger turn = new AtomicInteger();

  /** Work on the database of one cell. */
  public interface Task {
    void run(Database database) throws SQLException;
  }

  /** The cells that can be used. */
  public abstract Collection<Cells.Cell> all();

  /** Splits merchants by the database of their cell; leaves out cells that cannot be used. */
  public abstract Map<Database, List<Integer>> split(Collection<Integer> merchantIds)
      throws SQLException;

  private Cells self() {
    return (Cells) this;
  }

  /** Creates a batched read of merchants' data; create it once and share it. */
  public <K, V extends @Nullable Object> CellReads<K, V> batched(
      ToIntFunction<K> merchant, BatchedRead.Statement<K, V> statement) {
    return new CellReads<>(self(), merchant, database -> database.batched(statement));
  }

  /** As {@link #batched}, for values that take long to read. */
  public <K, V extends @Nullable Object> CellReads<K, V> batchedLarge(
      ToIntFunction<K> merchant, BatchedRead.Statement<K, V> statement) {
    return new CellReads<>(self(), merchant, database -> database.batchedLarge(statement));
  }

  /** As {@link #batched}; in each cell, statements run one after the other. */
  public <K, V extends @Nullable Object> CellReads<K, V> batchedInTurn(
      ToIntFunction<K> merchant, BatchedRead.Statement<K, V> statement) {
    return new CellReads<>(self(), merchant, database -> database.batchedInTurn(statement));
  }

  /** Does something in every cell, whatever fails in others; then throws the first failure. */
  public void each(Task task) throws SQLException {
    Failures failures = new Failures();
    for (Cells.Cell cell : all()) {
      failures.attempt(() -> task.run(cell.database()));
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
    List<Cells.Cell> asked = new ArrayList<>(all());
    Collections.rotate(asked, turn.getAndIncrement());
    @Nullable SQLException failed = null;
    for (Cells.Cell cell : asked) {
      try {
        T found = finder.find(cell.database());
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
    Collection<Cells.Cell> asked = all();
    List<T> found = new ArrayList<>();
    int answered = 0;
    @Nullable SQLException silence = null;
    for (Cells.Cell cell : asked) {
      try {
        found.addAll(cell.database().read(work));
        answered++;
      } catch (SQLException failure) {
        if (!SqlFailures.isUnavailable(failure)) {
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
        if (parts.size() == 1 || !SqlFailures.isUnavailable(failure)) {
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
}
