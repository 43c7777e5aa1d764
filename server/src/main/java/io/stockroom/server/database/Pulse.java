package io.stockroom.server.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feels whether the database answers at all, by asking it a trifle over a connection of its own. A
 * slow statement is no silence; so it may take its time, while a database that has fallen silent
 * lets go of every caller within two seconds.
 */
final class Pulse implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Pulse.class);
  private static final Duration EVERY = Duration.ofMillis(250);
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(1);

  private final DatabaseAddress address;
  private final Runnable onSilence;
  private final Runnable onAnswer;
  private final Set<Connection> busy = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile boolean silent;
  private volatile Duration took = Duration.ZERO;

  /**
   * Starts to feel it.
   *
   * @param onSilence what to do once when the database falls silent
   * @param onAnswer what to do once when it answers again, before the first caller is let in
   */
  Pulse(DatabaseAddress address, Runnable onSilence, Runnable onAnswer) {
    this.address = address;
    this.onSilence = onSilence;
    this.onAnswer = onAnswer;
    Thread.ofPlatform().daemon().name("database-pulse").start(this::feel);
  }

  /** Refuses work while the database is silent. */
  void require() throws SQLException {
    if (silent) {
      throw new SQLTransientConnectionException("the database does not answer", "08006");
    }
  }

  /** Notes that {@code connection} is worked on, until {@link #end}. */
  void begin(Connection connection) throws SQLException {
    busy.add(connection);
    // it may have fallen silent since, and let go of the others
    if (silent) {
      busy.remove(connection);
      require();
    }
  }

  void end(Connection connection) {
    busy.remove(connection);
  }

  Database.Beat last() {
    return new Database.Beat(!silent, took);
  }

  private void feel() {
    while (!isClosingWithin(EVERY)) {
      long start = System.nanoTime();
      try (Connection connection = login()) {
        connection.setNetworkTimeout(Runnable::run, (int) LONGEST_SILENCE.toMillis());
        do {
          start = System.nanoTime();
          try (Statement statement = connection.createStatement()) {
            statement.execute("select 1");
          }
          took = Duration.ofNanos(System.nanoTime() - start);
          answered();
        } while (!isClosingWithin(EVERY));
      } catch (SQLException failure) {
        // A refused login comes at once, and a restart is soon over: callers may wait for it.
        if (System.nanoTime() - start >= LONGEST_SILENCE.toNanos()) {
          fellSilent();
        }
      }
    }
  }

  private Connection login() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", address.user());
    properties.setProperty("password", address.password());
    properties.setProperty("ApplicationName", "stockroom pulse");
    properties.setProperty("connectTimeout", "1");
    properties.setProperty("loginTimeout", "1");
    return DriverManager.getConnection(address.jdbcUrl(), properties);
  }

  private void answered() {
    if (silent) {
      onAnswer.run();
      silent = false;
      log.info("The database answers again.");
    }
  }

  private void fellSilent() {
    if (silent) {
      return;
    }
    silent = true;
    log.error(
        "The database has not answered for {} ms; calls are answered 503 until it does.",
        LONGEST_SILENCE.toMillis());
    busy.forEach(Pulse::abort);
    onSilence.run();
  }

  private static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException alreadyGone) {
      log.debug("a connection was gone already", alreadyGone);
    }
  }

  private boolean isClosingWithin(Duration time) {
    try {
      return closing.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  @Override
  public void close() {
    closing.countDown();
  }
}
