package io.stockroom.server.testing;

import io.stockroom.core.access.SecretBox;
import io.stockroom.core.access.SecretKeys;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.settings.Settings;
import io.stockroom.postgres.CommandDatabase;
import io.stockroom.server.Stockroom;
import io.stockroom.server.backup.MarketplaceDatabases;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A database for one test, in the PostgreSQL of the shared server. */
public final class ScratchDatabase implements AutoCloseable {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final String name;
  private final DatabaseAddress address;
  private final CommandDatabase opened;

  /** An empty database. */
  public ScratchDatabase() {
    this(name -> OwnDatabase.execute("create database " + name));
  }

  private ScratchDatabase(Consumer<String> create) {
    name = "scratch_" + NUMBERS.incrementAndGet();
    create.accept(name);
    address = OwnDatabase.named(name);
    opened = CommandDatabase.outside(address);
  }

  /** As {@link OwnDatabase#withTables}. */
  public static ScratchDatabase withTables() {
    return new ScratchDatabase(OwnDatabase::createWithTables);
  }

  public DatabaseAddress address() {
    return address;
  }

  public Database database() {
    return opened.database();
  }

  /** This database as a directory, for backups; without a key for the passwords of cells. */
  public MarketplaceDatabases marketplace() {
    return new MarketplaceDatabases(opened, () -> new SecretBox(List::of));
  }

  /** As {@link #marketplace()}, with the keys of a server. */
  public MarketplaceDatabases marketplace(Path folder) {
    SecretKeys keys = SecretKeys.ofFile(folder.resolve("secret.key"));
    return new MarketplaceDatabases(opened, () -> new SecretBox(keys::read));
  }

  /** A server on this database, with its keys in {@code folder}. */
  public Stockroom serve(Path folder) {
    return serve(folder, Map.of());
  }

  /** As {@link #serve(Path)}, with a minimum time between create requests. */
  public Stockroom serve(Path folder, String createInterval) {
    return serve(folder, Map.of("limits.create-interval", createInterval));
  }

  /** As {@link #serve(Path)}, with further settings. */
  public Stockroom serve(Path folder, Map<String, String> settings) {
    Map<String, String> all =
        new TreeMap<>(
            Map.of(
                "port",
                "0",
                "limits.create-interval",
                "PT0S",
                "database.url",
                address.jdbcUrl(),
                "database.user",
                address.user(),
                "database.password",
                address.password(),
                "database.pool-size",
                "4"));
    all.put("console.require-second-factor", "none");
    all.putAll(settings);
    return Stockroom.start(folder, Settings.with(all));
  }

  /** The first column of the result of {@code sql}. */
  public List<String> texts(String sql) {
    try {
      return database()
          .read(
              connection -> {
                List<String> texts = new ArrayList<>();
                try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(sql)) {
                  while (rows.next()) {
                    texts.add(String.valueOf(rows.getString(1)));
                  }
                }
                return texts;
              });
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The row count and an ordered checksum of every table in a backup. */
  public Map<String, String> checksums() {
    Map<String, String> checksums = new TreeMap<>();
    for (String table :
        texts(
            """
            select tablename from pg_tables
            where schemaname = 'public' and tablename not in ('flyway_directory_history', 'flyway_cell_history', 'cell',
              'request_log', 'webhook_delivery', 'node', 'import_piece', 'nonce', 'session', 'person_link',
              'sign_in_ticket', 'mail')
            """)) {
      checksums.put(
          table,
          texts(
                  """
                  select count(*) || ' ' || coalesce(md5(string_agg(t::text, e'\\n' order by t::text)), '')
                  from %s t
                  """
                      .formatted(table))
              .getFirst());
    }
    return checksums;
  }

  @Override
  public void close() {
    opened.close();
    OwnDatabase.execute("drop database " + name + " with (force)");
  }
}
