package io.stockroom.server.testing;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.Migrations;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A separate database in the shared PostgreSQL, for tests that involve all rows of a server. It is
 * deleted with the folder of the shared server.
 */
public final class OwnDatabase {
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final String TEMPLATE = "with_tables";
  private static boolean hasTemplate;

  private OwnDatabase() {}

  public static DatabaseAddress create() {
    String name = "own" + NUMBERS.incrementAndGet();
    execute("create database " + name);
    return named(name);
  }

  /** As if its machine was gone. */
  public static void drop(DatabaseAddress address) {
    execute(
        "drop database %s with (force)"
            .formatted(address.jdbcUrl().replaceFirst(".*/([^/?]+).*", "$1")));
  }

  /** A database with the tables of a directory and a cell, which saves a server the migration. */
  public static DatabaseAddress withTables() {
    String name = "own" + NUMBERS.incrementAndGet();
    createWithTables(name);
    return named(name);
  }

  static synchronized void createWithTables(String name) {
    if (!hasTemplate) {
      execute("create database " + TEMPLATE);
      try (Database database = new Database(named(TEMPLATE), 2, new SimpleMeterRegistry())) {
        Migrations.run(database);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      hasTemplate = true;
    }
    execute("create database %s template %s".formatted(name, TEMPLATE));
  }

  /** The owner's login to another database of the same PostgreSQL. */
  static DatabaseAddress named(String name) {
    DatabaseAddress owner = TestServer.owner();
    String url = owner.jdbcUrl().replaceFirst("/[^/?]+(\\?.*)?$", "/" + name + "$1");
    return new DatabaseAddress(url, owner.user(), owner.password());
  }

  static void execute(String sql) {
    DatabaseAddress owner = TestServer.owner();
    try (Connection connection =
            DriverManager.getConnection(owner.jdbcUrl(), owner.user(), owner.password());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The settings of a server on that database. */
  public static Map<String, String> settings(DatabaseAddress address) {
    return Map.of(
        "port",
        "0",
        "database.url",
        address.jdbcUrl(),
        "database.user",
        address.user(),
        "database.password",
        address.password(),
        "database.pool-size",
        "6",
        "console.require-second-factor",
        "none");
  }
}
