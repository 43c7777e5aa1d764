package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A circuit breaker: sends a trivial query four times a second over a connection of its own. When
 * the database has not answered for a second, because it hangs or because it is down, it aborts the
 * statements that callers wait for and rejects work until the next answer. Nothing of those was
 * committed, so their callers can be told so. A commit that is under way survives a stall: to abort
 * it would leave its outcome unknown. A slow statement trips nothing.
 */
final class DatabaseHeartbeat implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DatabaseHeartbeat.class);
  private static final Duration EVERY = Duration.ofMillis(250);
  private static final Duration MAX_SILENCE = Duration.ofSeconds(1);

  /** Longer than a paused virtual machine, a failing network path or a disk usually takes. */
  private static final Duration MAX_STALL = Duration.ofSeconds(10);

  private final String name;
  private final Supplier<DatabaseAddress> address;
  private final Runnable onSilence;
  private final Runnable onAnswer;

  /** In use by a statement of which nothing is committed. */
  private final Set<Connection> busy = ConcurrentHashMap.newKeySet();

  /** In use by a commit or a long transaction. */
  private final Set<Connection> lasting = ConcurrentHashMap.newKeySet();

  private final StopSignal stop = new StopSignal();
  private volatile long lastAnswer = System.nanoTime();
  private volatile boolean silent;
  private volatile Duration took = Duration.ZERO;

  /**
   * Starts the heartbeat.
   *
   * @param name says in messages which database it is
   * @param onSilence runs once when the database becomes unresponsive
   * @param onAnswer runs once when it responds again, before the first call is accepted
   */
  DatabaseHeartbeat(
      String name, Supplier<DatabaseAddress> address, Runnable onSilence, Runnable onAnswer) {
    this.name = name;
    this.address = address;
    this.onSilence = onSilence;
    this.onAnswer = onAnswer;
    Thread.ofPlatform().daemon().name("database-heartbeat").start(this::beat);
  }

  /** Rejects work while the database is silent. */
  void require() throws SQLException {
    if (silent) {
      throw new SQLTransientConnectionException("the database does not answer", "08006");
    }
  }

  /** Registers a connection in use, until {@link #end}. */
  void begin(Connection connection) throws SQLException {
    busy.add(connection);
    // it may have fallen silent since, and aborted the others
    if (silent) {
      busy.remove(connection);
      require();
    }
  }

  /** As {@link #begin}, for a transaction that outlasts a stall. */
  void beginLasting(Connection connection) {
    lasting.add(connection);
  }

  /** From now on the connection outlasts a stall; fails if it was aborted before. */
  void commits(Connection connection) throws SQLException {
    lasting.add(connection);
    if (!busy.remove(connection)) {
      lasting.remove(connection);
      throw new SQLTransientConnectionException("the database did not answer", "08006");
    }
  }

  void end(Connection connection) {
    busy.remove(connection);
    lasting.remove(connection);
  }

  Database.Beat last() {
    return new Database.Beat(!silent, took);
  }

  private void beat() {
    while (!stop.comesWithin(EVERY)) {
      DatabaseAddress at = address.get();
      try (Connection connection = login(at)) {
        connection.setNetworkTimeout(Runnable::run, (int) MAX_SILENCE.toMillis());
        do {
          long start = System.nanoTime();
          try (Statement statement = connection.createStatement()) {
            statement.execute("select 1");
          }
          lastAnswer = System.nanoTime();
          took = Duration.ofNanos(System.nanoTime() - start);
          answered();
        } while (!stop.comesWithin(EVERY) && at.equals(address.get()));
      } catch (SQLException | RuntimeException failure) {
        long silence = System.nanoTime() - lastAnswer;
        if (silence >= MAX_SILENCE.toNanos()) {
          fellSilent();
        }
        if (silence >= MAX_STALL.toNanos()) {
          abortAll(lasting);
        }
      }
    }
  }

  private static Connection login(DatabaseAddress address) throws SQLException {
    Properties properties = address.login();
    properties.setProperty("ApplicationName", "stockroom heartbeat");
    properties.setProperty("connectTimeout", "1");
    properties.setProperty("loginTimeout", "1");
    return DriverManager.getConnection(address.jdbcUrl(), properties);
  }

  /** At a new address, the database counts as responsive until it is silent there, too. */
  void restart() {
    lastAnswer = System.nanoTime();
    if (silent) {
      onAnswer.run();
      silent = false;
    }
  }

  private void answered() {
    if (silent) {
      onAnswer.run();
      silent = false;
      log.info("The database ({}) answers again.", name);
    }
  }

  private void fellSilent() {
    if (silent) {
      return;
    }
    silent = true;
    log.error(
        "The database ({}) has not answered for {} ms; calls are answered 503 until it does.",
        name,
        MAX_SILENCE.toMillis());
    abortAll(busy);
    onSilence.run();
  }

  private static void abortAll(Set<Connection> connections) {
    for (Connection connection : List.copyOf(connections)) {
      if (connections.remove(connection)) {
        abort(connection);
      }
    }
  }

  private static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException alreadyGone) {
      log.debug("a connection was gone already", alreadyGone);
    }
  }

  @Override
  public void close() {
    stop.send();
  }
}
