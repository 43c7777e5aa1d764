package io.stockroom.core.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The connection pool: runs a reading statement, a transaction, or a long transaction. */
public final class Database implements AutoCloseable {
  private static final int MAX_TRIES = 4;
  private static final Duration COMMAND_WAIT = Duration.ofSeconds(5);

  /**
   * Transactions are short, so a writer that finds no permit waits for a moment: for other calls,
   * operators, pages and housekeeping.
   */
  private static final Duration WRITER_WAIT = Duration.ofSeconds(5);

  /** How long to try to connect at a start: a wrong port or a missing database is soon reported. */
  private static final int FIRST_CONNECTION_MILLIS = 2_000;

  private static final int MIN_IDLE = 4;
  private static final int MIN_IDLE_OF_CELL = 1;

  /** Work on a connection, which returns to the pool afterwards. */
  public interface Work<T extends @Nullable Object> {
    T run(Connection connection) throws SQLException;
  }

  /** The directory's name in metrics and messages; cells have their own. */
  private static final String DIRECTORY = "directory";

  private final String name;
  private final MeterRegistry meters;
  private final PoolSource source;
  private final HikariDataSource pool;
  private final int poolSize;

  /** Three quarters of the connections, so that reads never wait for writes. */
  private final Semaphore writers;

  /** Hear of the merchants that a committed transaction changed. */
  private final CopyOnWriteArrayList<IntConsumer> changeListeners;

  private final WriteFailures writeFailures;

  private volatile @Nullable DatabaseHeartbeat heartbeat;

  /** Of one merchant's use of the database; null if this is the database itself. */
  private final @Nullable MerchantFence fence;

  /** This database, or the one that this is one merchant's use of. */
  private final Database whole;

  /** Platform threads, because they only wait for the database; virtual threads would cost more. */
  private final ExecutorService readers;

  /** For a command, which may wait for a connection. */
  public Database(DatabaseAddress address, int poolSize, MeterRegistry meters) {
    this(address, poolSize, COMMAND_WAIT, meters);
  }

  /** Opens the pool; a caller waits at most {@code maxWait} for a connection. */
  public Database(DatabaseAddress address, int poolSize, Duration maxWait, MeterRegistry meters) {
    this(DIRECTORY, address, poolSize, maxWait, meters);
  }

  /** The database of a cell; it opens its first connection when it is used. */
  public static Database ofCell(
      String cell, DatabaseAddress address, int poolSize, Duration maxWait, MeterRegistry meters) {
    return new Database(cell, address, poolSize, maxWait, meters);
  }

  private Database(
      String name, DatabaseAddress address, int poolSize, Duration maxWait, MeterRegistry meters) {
    this.fence = null;
    this.whole = this;
    this.writeFailures = new WriteFailures();
    this.readers =
        Executors.newCachedThreadPool(Thread.ofPlatform().name("reader-", 1).daemon().factory());
    this.changeListeners = new CopyOnWriteArrayList<>();
    this.name = name;
    this.meters = meters;
    this.source = new PoolSource(address);
    this.poolSize = poolSize;
    this.writers = new Semaphore(Math.ceilDiv(poolSize * 3, 4), true);
    boolean isDirectory = name.equals(DIRECTORY);
    HikariConfig config = source.poolConfig(isDirectory ? "stockroom" : "cell " + name);
    config.setMaximumPoolSize(poolSize);
    config.setMinimumIdle(kept());
    config.setConnectionTimeout(maxWait.toMillis());
    config.setInitializationFailTimeout(isDirectory ? FIRST_CONNECTION_MILLIS : -1);
    config.setMetricRegistry(meters);
    pool = new HikariDataSource(config);
    DatabaseMeters.registerWaiting(this, name, meters);
  }

  private Database(Database whole, MerchantFence fence) {
    this.fence = fence;
    this.whole = whole;
    this.writeFailures = whole.writeFailures;
    this.readers = whole.readers;
    this.changeListeners = whole.changeListeners;
    this.name = whole.name;
    this.meters = whole.meters;
    this.source = whole.source;
    this.poolSize = whole.poolSize;
    this.writers = whole.writers;
    this.pool = whole.pool;
  }

  /** One merchant's use of this database, which follows the merchant to another cell. */
  Database fenced(MerchantFence merchant) {
    return new Database(this, merchant);
  }

  /** Whether both use the same connections. */
  public boolean isSame(Database other) {
    return whole == other.whole;
  }

  /** Starts the circuit breaker: aborts and rejects work while the database does not respond. */
  public void watch() {
    heartbeat =
        new DatabaseHeartbeat(
            name,
            source::address,
            () -> {
              pool.getHikariPoolMXBean().softEvictConnections();
              // else the pool retries ever less often, and notices recovery up to 5 seconds late
              keepIdle(0);
            },
            () -> keepIdle(kept()));
    DatabaseMeters.register(this, name, meters);
  }

  /** Calls {@code listener} with each merchant that a transaction of this node has changed. */
  public void afterChange(IntConsumer listener) {
    changeListeners.addIfAbsent(listener);
  }

  /** Uses the database at another address from now on; work that has begun ends at the old one. */
  void relocate(DatabaseAddress address) {
    DatabaseHeartbeat watching = heartbeat;
    if (source.move(address) && watching != null) {
      pool.getHikariPoolMXBean().softEvictConnections();
      watching.restart();
    }
  }

  private void keepIdle(int connections) {
    pool.getHikariConfigMXBean().setMinimumIdle(connections);
  }

  /** The number of connections that stay open when idle; a quiet cell needs few, and no more. */
  private int kept() {
    return Math.min(poolSize, name.equals(DIRECTORY) ? MIN_IDLE : MIN_IDLE_OF_CELL);
  }

  public DataSource dataSource() {
    return pool;
  }

  /**
   * Runs reading statements; runs them again if the connection was lost. A statement that writes is
   * refused, because it might take effect twice.
   */
  public <T extends @Nullable Object> T read(Work<T> work) throws SQLException {
    if (fence != null) {
      return fence.read(work);
    }
    try {
      return once(connection -> reading(connection, work));
    } catch (SQLException failure) {
      if (!SqlFailures.isLostConnection(failure)) {
        throw failure;
      }
      return once(connection -> reading(connection, work));
    }
  }

  /** The pool resets the connection; outside a transaction the flag costs no round trip. */
  private static <T extends @Nullable Object> T reading(Connection connection, Work<T> work)
      throws SQLException {
    connection.setReadOnly(true);
    return work.run(connection);
  }

  /** Creates a batched read; create it once and share it. */
  public <K, V extends @Nullable Object> BatchedRead<K, V> batched(
      BatchedRead.Statement<K, V> statement) {
    return new BatchedRead<>(this, readers, BatchedRead.Shape.SMALL, statement);
  }

  /** As {@link #batched}, for values that take long to read. */
  public <K, V extends @Nullable Object> BatchedRead<K, V> batchedLarge(
      BatchedRead.Statement<K, V> statement) {
    return new BatchedRead<>(this, readers, BatchedRead.Shape.LARGE, statement);
  }

  /** As {@link #batched}, with statements that run one after the other. */
  <K, V extends @Nullable Object> BatchedRead<K, V> batchedInTurn(
      BatchedRead.Statement<K, V> statement) {
    return new BatchedRead<>(this, readers, BatchedRead.Shape.IN_TURN, statement);
  }

  /** Runs a transaction; repeats it after a serialization failure or a deadlock. */
  public <T extends @Nullable Object> T write(Work<T> work) throws SQLException {
    if (fence != null) {
      return fence.write(work);
    }
    for (int attempt = 1; ; attempt++) {
      try {
        return transaction(work);
      } catch (SQLException failure) {
        if (!SqlFailures.isLostRace(failure) || attempt == MAX_TRIES) {
          throw failure;
        }
      }
    }
  }

  /** As {@link #write}, but never repeats the work: for input that can be read only once. */
  public <T extends @Nullable Object> T writeOnce(Work<T> work) throws SQLException {
    if (fence != null) {
      return fence.writeOnce(work);
    }
    return transaction(work);
  }

  /** Begins a transaction that may take minutes; the caller closes it. */
  public LongTransaction begin() throws SQLException {
    if (fence != null) {
      return fence.begin();
    }
    DatabaseHeartbeat watching = heartbeat;
    if (watching != null) {
      watching.require();
    }
    requireWriter();
    @Nullable Connection connection = null;
    try {
      connection = pool.getConnection();
      if (watching != null) {
        watching.beginLasting(connection);
      }
      Connection used = connection;
      return new LongTransaction(
          used, notes -> announced(notes).forEach(Runnable::run), () -> endLong(watching, used));
    } catch (SQLException | RuntimeException | Error failure) {
      try (Connection unused = connection) {
        endLong(watching, unused);
      } catch (SQLException alsoFailed) {
        failure.addSuppressed(alsoFailed);
      }
      throw failure;
    }
  }

  private void endLong(@Nullable DatabaseHeartbeat watching, @Nullable Connection connection) {
    if (watching != null && connection != null) {
      watching.end(connection);
    }
    writers.release();
  }

  /**
   * Vacuums and analyzes tables. Call it after a bulk load: otherwise the planner takes the tables
   * for empty, and index-only scans do not work yet.
   */
  public void settle(String tables) throws SQLException {
    once(connection -> Vacuum.run(connection, "vacuum (analyze) " + tables));
  }

  /**
   * Analyzes those of the tables that were smaller than what has just been written to them. Until
   * then, connections may have plans that read such a table whole, because it was small; the
   * statistics make them plan again. Otherwise it takes up to a minute until autovacuum comes.
   */
  public void analyzeGrown(List<String> tables, long written) throws SQLException {
    once(
        connection -> {
          List<String> grown = Vacuum.grown(connection, tables, written);
          return grown.isEmpty() || Vacuum.run(connection, "analyze " + String.join(", ", grown));
        });
  }

  /** The maximum number of connections. */
  public int connections() {
    return pool.getMaximumPoolSize();
  }

  /** The current use of the pool. */
  public record PoolUse(int inUse, int waiting) {}

  public PoolUse use() {
    return new PoolUse(
        pool.getHikariPoolMXBean().getActiveConnections(),
        writers.getQueueLength() + pool.getHikariPoolMXBean().getThreadsAwaitingConnection());
  }

  /** Whether the database responds, and the latency of the last heartbeat. */
  public record Beat(boolean answers, Duration took) {}

  public Beat heartbeat() {
    DatabaseHeartbeat watching = whole.heartbeat;
    return watching == null ? new Beat(true, Duration.ZERO) : watching.last();
  }

  /** Finds out whether the disk is full, also while nobody writes; the result is noted. */
  public void probeWrites() {
    try {
      var _ =
          this.<@Nullable Void>write(
              connection -> {
                WriteFailures.probe(connection);
                return null;
              });
    } catch (SQLException noted) {
      // the metrics and the health tell
    }
  }

  /** Why the database takes no writes, such as a full disk; null if it does. */
  public @Nullable String writeFailure() {
    return writeFailures.reason();
  }

  private <T extends @Nullable Object> T once(Work<T> work) throws SQLException {
    DatabaseHeartbeat watching = heartbeat;
    if (watching == null) {
      try (Connection connection = pool.getConnection()) {
        return work.run(connection);
      }
    }
    watching.require();
    try (Connection connection = pool.getConnection()) {
      watching.begin(connection);
      try {
        return work.run(connection);
      } finally {
        watching.end(connection);
      }
    }
  }

  private <T extends @Nullable Object> T transaction(Work<T> work) throws SQLException {
    requireWriter();
    List<Runnable> tasks = new ArrayList<>(0);
    T result;
    try {
      result = once(connection -> committed(connection, work, tasks));
    } finally {
      writers.release();
    }
    tasks.forEach(Runnable::run);
    return result;
  }

  private void requireWriter() throws SQLException {
    try {
      if (writers.tryAcquire(WRITER_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
    throw new SQLTransientConnectionException(
        "no write could begin within " + WRITER_WAIT.toSeconds() + " s", SqlFailures.BUSY);
  }

  /** Runs the work and commits; adds the tasks that follow. */
  private <T extends @Nullable Object> T committed(
      Connection connection, Work<T> work, List<Runnable> tasks) throws SQLException {
    connection.setAutoCommit(false);
    T result;
    AtCommit.Notes notes;
    try {
      result = work.run(connection);
      DatabaseHeartbeat watching = heartbeat;
      if (watching != null) {
        watching.commits(connection);
      }
      notes = AtCommit.commit(connection);
    } catch (SQLException | RuntimeException failure) {
      if (failure instanceof SQLException ofDatabase) {
        writeFailures.note(ofDatabase);
      }
      rollBack(connection, failure);
      throw failure;
    }
    tasks.addAll(announced(notes));
    return result;
  }

  /** Tells the listeners what a committed transaction changed; returns its tasks. */
  private List<Runnable> announced(AtCommit.Notes notes) {
    for (int merchantId : notes.changedMerchants) {
      changeListeners.forEach(listener -> listener.accept(merchantId));
    }
    return notes.tasks;
  }

  private static void rollBack(Connection connection, Exception cause) {
    var _ = AtCommit.forget(connection);
    try {
      connection.rollback();
    } catch (SQLException alsoFailed) {
      cause.addSuppressed(alsoFailed);
    }
  }

  @Override
  public void close() {
    readers.shutdown();
    DatabaseHeartbeat watching = heartbeat;
    if (watching != null) {
      watching.close();
    }
    pool.close();
    // a removed cell would seem to be down for ever
    meters.getMeters().stream()
        .filter(meter -> name.equals(meter.getId().getTag("database")))
        .toList()
        .forEach(meters::remove);
  }
}
