package io.stockroom.postgres;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The database for a command that uses it directly: an external one, the embedded one of a running
 * server, or the embedded one started for the command.
 */
public final class CommandDatabase implements AutoCloseable {
  private static final int CONNECTIONS = 2;
  private static final Duration MAX_WAIT = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final DatabaseAddress address;
  private final Database database;
  private final @Nullable EmbeddedPostgres postgres;
  private final @Nullable DataFolder folder;

  private CommandDatabase(
      DatabaseAddress address, @Nullable EmbeddedPostgres postgres, @Nullable DataFolder folder) {
    this.address = address;
    this.database = new Database(patient(address), CONNECTIONS, new SimpleMeterRegistry());
    this.postgres = postgres;
    this.folder = folder;
  }

  public static CommandDatabase outside(DatabaseAddress address) {
    return new CommandDatabase(address, null, null);
  }

  /** Opens the database of a data folder, creating it if necessary. */
  public static CommandDatabase embedded(Path dataFolder) {
    DataFolder folder = DataFolder.open(dataFolder);
    long deadline = System.nanoTime() + MAX_WAIT.toNanos();
    while (true) {
      try {
        folder.hold();
      } catch (FolderInUseException running) {
        PostgresLogin login = login(folder);
        if (login != null) {
          return new CommandDatabase(login.ownerAddress(), null, null);
        }
        if (System.nanoTime() - deadline > 0) {
          throw running;
        }
        // that server is just starting or stopping
        LockSupport.parkNanos(PAUSE.toNanos());
        continue;
      }
      return started(folder);
    }
  }

  /** Opens the embedded database of a running server; empty if none runs in this folder. */
  public static Optional<CommandDatabase> ofRunning(Path dataFolder) {
    if (!isIn(dataFolder)) {
      return Optional.empty();
    }
    try (DataFolder folder = DataFolder.open(dataFolder)) {
      folder.hold();
      return Optional.empty();
    } catch (FolderInUseException running) {
      return Optional.of(embedded(dataFolder));
    }
  }

  /** Whether the data folder contains an embedded database. */
  public static boolean isIn(Path dataFolder) {
    return Files.exists(dataFolder.resolve("postgres").resolve("PG_VERSION"));
  }

  public Database database() {
    return database;
  }

  /** Where it is, and the login of its owner. */
  public DatabaseAddress address() {
    return address;
  }

  @Override
  public synchronized void close() {
    database.close();
    if (postgres != null) {
      postgres.close();
    }
    if (folder != null) {
      folder.close();
    }
  }

  private static CommandDatabase started(DataFolder folder) {
    EmbeddedPostgres postgres = null;
    try {
      postgres = EmbeddedPostgres.start(folder);
      return new CommandDatabase(postgres.roles().owner(), postgres, folder);
    } catch (RuntimeException | Error failure) {
      if (postgres != null) {
        postgres.close();
      }
      folder.close();
      throw failure;
    }
  }

  /** The login of the PostgreSQL that another process runs here; null if it is not ready. */
  private static @Nullable PostgresLogin login(DataFolder folder) {
    try {
      // line 4 of the file is the port, line 8 the state
      List<String> lines = Files.readAllLines(folder.path().resolve("postgres/postmaster.pid"));
      if (lines.size() < 8 || !lines.get(7).strip().equals("ready")) {
        return null;
      }
      String password = Files.readString(folder.path().resolve("postgres.password")).strip();
      PostgresLogin login = new PostgresLogin(Integer.parseInt(lines.get(3).strip()), password);
      login.attempt();
      return login;
    } catch (IOException | NumberFormatException e) {
      return null;
    } catch (SQLException e) {
      if (PostgresLogin.mayPass(e)) {
        return null;
      }
      throw new StartException(
          "The PostgreSQL in "
              + folder.path()
              + " rejects the login of Stockroom: "
              + e.getMessage(),
          e);
    }
  }

  /** Removes the socket timeout: checking a large table takes longer than a request may. */
  private static DatabaseAddress patient(DatabaseAddress address) {
    return address.jdbcUrl().contains("socketTimeout=") ? address : address.with("socketTimeout=0");
  }
}
