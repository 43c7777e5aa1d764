package io.stockroom.server.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The pool, and the ways to use it: one statement that reads, one transaction, or a long one. */
public final class Database implements AutoCloseable {
  private static final int MOST_TRIES = 4;
  private static final Duration LONGEST_TURN = Duration.ofSeconds(5);
  private static final int MOST_KEPT = 4;
  private static final Set<String> LOST_RACES = Set.of("40001", "40P01");
  private static final String LOCK_TIMEOUT = "55P03";

  /** Work on a connection that is given back afterwards. */
  public interface Work<T extends @Nullable Object> {
    T run(Connection connection) throws SQLException;
  }

  private final DatabaseAddress address;
  private final HikariDataSource pool;
  private final int poolSize;
  private final Turns turns;

  /** Fewer than there are connections, so that readers need not wait for writers. */
  private final Turns writers;

  private volatile @Nullable Pulse pulse;

  /** Platform threads: they do nothing but wait for the database, which costs virtual ones more. */
  private final ExecutorService readers =
      Executors.newCachedThreadPool(Thread.ofPlatform().name("reader-", 1).daemon().factory());

  /** For a command, which may wait for its turn. */
  public Database(DatabaseAddress address, int poolSize, MeterRegistry meters) {
    this(address, poolSize, LONGEST_TURN, meters);
  }

  /**
   * Opens the pool.
   *
   * @param longestLogin how long a caller may wait for a new connection to be made; for a turn it
   *     may wait longer, since a database that has fallen silent ends that
   */
  public Database(
      DatabaseAddress address, int poolSize, Duration longestLogin, MeterRegistry meters) {
    this.address = address;
    this.poolSize = poolSize;
    turns = new Turns(poolSize, LONGEST_TURN);
    writers = new Turns(Math.ceilDiv(poolSize * 3, 4), LONGEST_TURN);
    HikariConfig config = new HikariConfig();
    config.setPoolName("stockroom");
    config.setJdbcUrl(address.jdbcUrl());
    config.setUsername(address.user());
    config.setPassword(address.password());
    config.setMaximumPoolSize(poolSize);
    config.setMinimumIdle(kept());
    config.setConnectionTimeout(longestLogin.toMillis());
    config.setValidationTimeout(500);
    config.setInitializationFailTimeout(10_000);
    config.setMetricRegistry(meters);
    config.addDataSourceProperty("ApplicationName", "stockroom");
    config.addDataSourceProperty("connectTimeout", "2");
    // else a database that takes the connection and then says nothing keeps the pool from growing
    config.addDataSourceProperty("loginTimeout", "2");
    config.addDataSourceProperty("socketTimeout", "30");
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("prepareThreshold", "1");
    config.addDataSourceProperty(
        "options",
        "-c jit=off -c plan_cache_mode=force_generic_plan -c statement_timeout=10s -c lock_timeout=5s");
    pool = new HikariDataSource(config);
    Gauge.builder("stockroom.database.waiting", () -> use().waiting())
        .description("Callers that wait for a connection to the database")
        .register(meters);
  }

  /** Lets go of every caller, from now on, when the database falls silent. */
  public void watch() {
    pulse =
        new Pulse(
            address,
            () -> {
              writers.sendAway();
              turns.sendAway();
              pool.getHikariPoolMXBean().softEvictConnections();
              // else the pool goes on trying, less and less often, and misses the first answer by
              // up to five seconds
              keepIdle(0);
            },
            () -> keepIdle(kept()));
  }

  private void keepIdle(int connections) {
    pool.getHikariConfigMXBean().setMinimumIdle(connections);
  }

  /** So many connections are kept, also where nobody needs them. */
  private int kept() {
    return Math.min(poolSize, MOST_KEPT);
  }

  public DataSource dataSource() {
    return pool;
  }

  /** Runs one reading statement. A connection that has died meanwhile is replaced once. */
  public <T extends @Nullable Object> T read(Work<T> work) throws SQLException {
    try {
      return once(work);
    } catch (SQLException failure) {
      if (!isLostConnection(failure)) {
        throw failure;
      }
      return once(work);
    }
  }

  /** A read for many callers at a time; to be made once. */
  public <K, V extends @Nullable Object> SharedRead<K, V> shared(
      SharedRead.Statement<K, V> statement) {
    return new SharedRead<>(this, readers, statement);
  }

  /** Runs a transaction: all of it or nothing. Where it loses a race it is run again. */
  public <T extends @Nullable Object> T write(Work<T> work) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        return transaction(work);
      } catch (SQLException failure) {
        // a pool that has no connection left gives no state
        String state = failure.getSQLState();
        boolean again = state != null && LOST_RACES.contains(state) && attempt < MOST_TRIES;
        if (!again) {
          throw failure;
        }
      }
    }
  }

  /** As {@link #write}, but never run again: for work whose input can be read once only. */
  public <T extends @Nullable Object> T writeOnce(Work<T> work) throws SQLException {
    return transaction(work);
  }

  /** Begins a transaction that may take minutes; its caller closes it. */
  public LongTransaction begin() throws SQLException {
    turns.take();
    try {
      return new LongTransaction(pool.getConnection(), turns::give);
    } catch (SQLException | RuntimeException failure) {
      turns.give();
      throw failure;
    }
  }

  /**
   * To be called after many rows came at once: else the first readers suffer from a planner that
   * takes the tables for empty, and from indexes that do not tell yet which rows all may see.
   */
  public void settle(String tables) throws SQLException {
    once(
        connection -> {
          int patience = connection.getNetworkTimeout();
          connection.setNetworkTimeout(Runnable::run, 0);
          try (Statement statement = connection.createStatement()) {
            statement.execute("set statement_timeout = 0");
            try {
              return statement.execute("vacuum (analyze) " + tables);
            } finally {
              statement.execute("reset statement_timeout");
            }
          } finally {
            connection.setNetworkTimeout(Runnable::run, patience);
          }
        });
  }

  /** How many connections there are at most. */
  public int connections() {
    return pool.getMaximumPoolSize();
  }

  /** How the pool is used at this moment. */
  public record PoolUse(int inUse, int waiting) {}

  public PoolUse use() {
    return new PoolUse(
        pool.getHikariPoolMXBean().getActiveConnections(), writers.waiting() + turns.waiting());
  }

  /**
   * Whether the database answers.
   *
   * @param took how long it took for its last sign of life
   */
  public record Beat(boolean answers, Duration took) {}

  public Beat pulse() {
    Pulse watching = pulse;
    return watching == null ? new Beat(true, Duration.ZERO) : watching.last();
  }

  private <T extends @Nullable Object> T once(Work<T> work) throws SQLException {
    Pulse watching = pulse;
    if (watching != null) {
      watching.require();
    }
    turns.take();
    try (Connection connection = pool.getConnection()) {
      if (watching == null) {
        return work.run(connection);
      }
      watching.begin(connection);
      try {
        return work.run(connection);
      } finally {
        watching.end(connection);
      }
    } finally {
      turns.give();
    }
  }

  private <T extends @Nullable Object> T transaction(Work<T> work) throws SQLException {
    writers.take();
    try {
      return once(connection -> committed(connection, work));
    } finally {
      writers.give();
    }
  }

  private static <T extends @Nullable Object> T committed(Connection connection, Work<T> work)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      T result = work.run(connection);
      connection.commit();
      return result;
    } catch (SQLException | RuntimeException failure) {
      rollBack(connection, failure);
      throw failure;
    }
  }

  private static void rollBack(Connection connection, Exception cause) {
    try {
      connection.rollback();
    } catch (SQLException alsoFailed) {
      cause.addSuppressed(alsoFailed);
    }
  }

  /**
   * Says whether the failure lies in the database's reach or load, so that the same call may
   * succeed later: lost or refused connections, time-outs, a full disk, a shutdown.
   */
  public static boolean isUnavailable(Throwable failure) {
    if (!(failure instanceof SQLException cause)) {
      return false;
    }
    String state = cause.getSQLState();
    if (state == null) {
      return cause instanceof java.sql.SQLTransientException;
    }
    return isLostConnection(cause)
        || cause instanceof java.sql.SQLTransientException
        || LOST_RACES.contains(state)
        || state.startsWith("53")
        || state.startsWith("58")
        || state.equals(LOCK_TIMEOUT)
        || state.equals("57014");
  }

  /** Says whether a statement gave up waiting for rows that another transaction holds. */
  public static boolean isLockTimeout(SQLException failure) {
    return LOCK_TIMEOUT.equals(failure.getSQLState());
  }

  private static boolean isLostConnection(SQLException failure) {
    String state = failure.getSQLState();
    return state != null && (state.startsWith("08") || state.startsWith("57P"));
  }

  @Override
  public void close() {
    readers.shutdown();
    Pulse watching = pulse;
    if (watching != null) {
      watching.close();
    }
    pool.close();
  }
}
