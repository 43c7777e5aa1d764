package io.stockroom.server.testing;

import io.stockroom.console.ConsoleServlet;
import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.DatabaseRoles;
import io.stockroom.core.settings.Settings;
import io.stockroom.pictures.Pictures;
import io.stockroom.postgres.EmbeddedPostgres;
import io.stockroom.server.Stockroom;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The servers of this test run. The shared one has no rate limits for writes; others use the same
 * databases with other settings. The directory and the only cell are in two databases, each with
 * its own tables, so that every test shows that no statement uses both. Each starts on first use,
 * and all stop with the JVM, which deletes their folder.
 */
public final class TestServer {
  private static final Map<String, String> SHARED =
      Map.of("limits.create-interval", "PT0S", "limits.adjust-per-second", "0");

  /**
   * How many servers beside the shared one stay open; no test class uses more of them. Open servers
   * poll the database.
   */
  private static final int MAX_OTHERS = 4;

  /** The least recently used one first. */
  private static final Map<Map<String, String>, TestServer> STARTED =
      new LinkedHashMap<>(16, 0.75f, true);

  private static @Nullable EmbeddedPostgres postgres;

  private final int port;
  private final int adminPort;
  private final String operatorKey;
  private final @Nullable Stockroom stockroom;

  private TestServer(Stockroom stockroom) {
    this.port = stockroom.port();
    this.adminPort = stockroom.adminPort();
    this.operatorKey = stockroom.operatorKey();
    this.stockroom = stockroom;
  }

  private TestServer(int port, int adminPort, String operatorKey) {
    this.port = port;
    this.adminPort = adminPort;
    this.operatorKey = operatorKey;
    this.stockroom = null;
  }

  /** A server that the test started. */
  public static TestServer of(Stockroom stockroom) {
    return new TestServer(stockroom);
  }

  /** A server in another process, whose database is not accessible. */
  public static TestServer elsewhere(int port, int adminPort, String operatorKey) {
    return new TestServer(port, adminPort, operatorKey);
  }

  /** The server that most tests share: default settings without rate limits for writes. */
  public static TestServer shared() {
    return with(SHARED);
  }

  /** A server whose settings differ from the defaults in every way that a client can see. */
  public static TestServer other() {
    return with(
        Map.of(
            "limits.create-interval", "PT0S",
            "page-size", "2",
            "barcode-unique", "false",
            "sizes.in-create", "any",
            "language", "zh"));
  }

  /** A server that allows an application one create per {@code interval}, such as PT2S. */
  public static TestServer paced(String interval) {
    return with(Map.of("limits.create-interval", interval));
  }

  /** A server on the shared database, with {@code settings} on top of the defaults. */
  public static TestServer with(Map<String, String> settings) {
    synchronized (STARTED) {
      if (STARTED.isEmpty()) {
        Runtime.getRuntime().addShutdownHook(new Thread(TestServer::closeAll));
        Path folder = newFolder();
        postgres = SplitDatabases.start(folder);
        STARTED.put(SHARED, new TestServer(startBeside(folder, SHARED, "16")));
      }
      TestServer known = STARTED.get(settings);
      if (known == null) {
        closeUnused();
        Path folder = Objects.requireNonNull(STARTED.get(SHARED)).dataFolder();
        known = new TestServer(startBeside(folder, settings, "6"));
        STARTED.put(Map.copyOf(settings), known);
      }
      return known;
    }
  }

  private static void closeUnused() {
    List<Map<String, String>> others =
        STARTED.keySet().stream().filter(settings -> !settings.equals(SHARED)).toList();
    for (int i = 0; i <= others.size() - MAX_OTHERS; i++) {
      Objects.requireNonNull(STARTED.remove(others.get(i))).here().close();
    }
  }

  /** Whether it runs in this process. */
  public boolean isHere() {
    return stockroom != null;
  }

  public int port() {
    return port;
  }

  public int adminPort() {
    return adminPort;
  }

  /** Every method and path of this server. */
  public List<String> addresses() {
    return here().addresses();
  }

  public ConsoleServlet console() {
    return here().console();
  }

  public String operatorKey() {
    return operatorKey;
  }

  public Path dataFolder() {
    return here().dataFolder();
  }

  public ConcurrencyLimits limits() {
    return here().limits();
  }

  /** How many calls wait for a change. */
  public int waiting() {
    return here().waiting().count();
  }

  /** The database of the merchants, which is another one than the directory's. */
  public Database database() {
    try {
      return cells().of(0);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  public Database directory() {
    return cells().directory();
  }

  public Pictures pictures() {
    return here().pictures();
  }

  public Cells cells() {
    return here().cells();
  }

  /** The owner's login to the shared server's directory. */
  public static DatabaseAddress owner() {
    var _ = shared();
    synchronized (STARTED) {
      return Objects.requireNonNull(postgres).roles().owner();
    }
  }

  /** The owner's login to the database of the merchants. */
  public static DatabaseAddress ownerOfCell() {
    return OwnDatabase.named(SplitDatabases.CELL);
  }

  private Stockroom here() {
    return Objects.requireNonNull(stockroom, "the server runs in another process");
  }

  private static Stockroom startBeside(Path folder, Map<String, String> settings, String poolSize) {
    DatabaseRoles roles = Objects.requireNonNull(postgres).roles();
    Map<String, String> all = new HashMap<>(settings);
    all.put("database.url", roles.server().jdbcUrl());
    all.put("database.user", roles.server().user());
    all.put("database.password", roles.server().password());
    all.put("database.migration-user", roles.owner().user());
    all.put("database.migration-password", roles.owner().password());
    all.put("database.pool-size", poolSize);
    return start(folder, all);
  }

  private static Stockroom start(Path folder, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("port", "0");
    // every node delivers the webhooks of every test, to receivers on this machine
    all.put("webhooks.allow-private", "true");
    // most tests of operators are about something else
    all.putIfAbsent("console.require-second-factor", "none");
    return Stockroom.start(folder, Settings.with(all));
  }

  private static Path newFolder() {
    try {
      return Files.createTempDirectory("stockroom-test-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void closeAll() {
    synchronized (STARTED) {
      Path folder = Objects.requireNonNull(STARTED.get(SHARED)).dataFolder();
      STARTED.values().forEach(server -> server.here().close());
      Objects.requireNonNull(postgres).close();
      delete(folder);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
