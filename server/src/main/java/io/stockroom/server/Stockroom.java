package io.stockroom.server;

import io.micrometer.core.instrument.binder.logging.LogbackMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.stockroom.console.ConsoleServlet;
import io.stockroom.core.access.SecretKeys;
import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.core.changes.ChangeWaiters;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.DatabaseRoles;
import io.stockroom.core.settings.Settings;
import io.stockroom.demo.Demo;
import io.stockroom.pictures.Pictures;
import io.stockroom.postgres.DataFolder;
import io.stockroom.postgres.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** A running server: its data folder, its database, and its web server. */
public final class Stockroom implements AutoCloseable {
  private static final String SECRET_KEY_FILE = "secret.key";
  private static final String FIRST_OPERATOR_FILE = "first-operator.link";

  private final DataFolder folder;
  private final @Nullable EmbeddedPostgres postgres;
  private final ServerParts parts;
  private final OpenParts open;
  private final WebServers web;
  private final ConsoleServlet console;
  private final String operatorKey;

  private Stockroom(
      DataFolder folder,
      @Nullable EmbeddedPostgres postgres,
      ServerParts parts,
      OpenParts open,
      WebServers web,
      ConsoleServlet console,
      String operatorKey) {
    this.folder = folder;
    this.postgres = postgres;
    this.parts = parts;
    this.open = open;
    this.web = web;
    this.console = console;
    this.operatorKey = operatorKey;
  }

  /** Starts everything in order; if a part fails to start, stops those already started. */
  public static Stockroom start(Path dataFolder, Settings settings) {
    return start(dataFolder, settings, Clock.systemUTC());
  }

  /** As above, with a clock that an experiment can step. */
  public static Stockroom start(Path dataFolder, Settings settings, Clock clock) {
    TlsFiles tls = TlsFiles.of(settings);
    DataFolder folder = DataFolder.open(dataFolder);
    FutureTask<EmbeddedPostgres> starting = null;
    OpenParts open = new OpenParts();
    WebServers web = null;
    try {
      bridgeLogging();
      ServerKeys keys = keys(settings, folder);
      String url = settings.get(Settings.DATABASE_URL);
      if (url.isEmpty()) {
        folder.hold();
        // else two threads would initialize the logging, which warns of that
        LoggerFactory.getILoggerFactory();
        starting = new FutureTask<>(() -> EmbeddedPostgres.start(folder));
        // beside the preparation of the web servers, because it mostly waits
        Thread.ofPlatform().name("start-postgres").start(starting);
      }
      web = new WebServers(settings, tls);
      PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      open.add(meters::close);
      open.add(new LogbackMetrics()).bindTo(meters);
      EmbeddedPostgres postgres = starting == null ? null : started(starting);
      DatabaseRoles roles = postgres == null ? externalRoles(settings) : postgres.roles();
      ServerParts parts = new ServerParts(settings, keys, roles, clock, meters, open, web::port);
      ConsoleServlet console = new ConsoleServlet(parts.ofConsole(), settings);
      web.start(parts, console, keys, meters, folder.path());
      return new Stockroom(folder, postgres, parts, open, web, console, keys.operator());
    } catch (RuntimeException | Error failure) {
      if (web != null) {
        web.close();
      }
      open.close();
      if (starting != null) {
        closeStarted(starting);
      }
      folder.close();
      throw failure;
    }
  }

  /** The driver of PostgreSQL writes to java.util.logging. */
  private static void bridgeLogging() {
    if (!SLF4JBridgeHandler.isInstalled()) {
      SLF4JBridgeHandler.removeHandlersForRootLogger();
      SLF4JBridgeHandler.install();
    }
  }

  /** Waits until PostgreSQL has started; throws what its start threw. */
  private static EmbeddedPostgres started(FutureTask<EmbeddedPostgres> starting) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return starting.get();
        } catch (InterruptedException stopped) {
          interrupted = true;
        }
      }
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(failure.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void closeStarted(FutureTask<EmbeddedPostgres> starting) {
    EmbeddedPostgres postgres;
    try {
      postgres = started(starting);
    } catch (RuntimeException neverStarted) {
      return;
    }
    postgres.close();
  }

  /** How to log in to the external PostgreSQL that the settings name. */
  public static DatabaseRoles externalRoles(Settings settings) {
    DatabaseAddress server =
        DatabaseAddress.parse(
            settings.get(Settings.DATABASE_URL),
            settings.get(Settings.DATABASE_USER),
            settings.get(Settings.DATABASE_PASSWORD));
    String owner = settings.get(Settings.DATABASE_MIGRATION_USER);
    return new DatabaseRoles(
        server,
        owner.isEmpty()
            ? server
            : new DatabaseAddress(
                server.jdbcUrl(),
                owner,
                settings.get(Settings.DATABASE_MIGRATION_PASSWORD),
                server.keyPassword()));
  }

  /** Reads the keys from the settings, or from files created at the first start. */
  private static ServerKeys keys(Settings settings, DataFolder folder) {
    String operator = settings.get(Settings.OPERATOR_KEY);
    String secret = settings.get(Settings.SECRET_KEY);
    Path file = folder.path().resolve(SECRET_KEY_FILE);
    // an interrupted rotation leaves several keys, and all are needed
    boolean rotating = Files.isReadable(file) && SecretKeys.ofFile(file).read().size() > 1;
    if (secret.isEmpty() && !rotating) {
      folder.secret(SECRET_KEY_FILE, 32);
    }
    return new ServerKeys(
        operator.isEmpty() ? folder.secret("operator.key", 32) : operator,
        secret.isEmpty() ? SecretKeys.ofFile(file) : SecretKeys.ofSetting(secret));
  }

  /** The port of the interface and the console. */
  public int port() {
    return web.port();
  }

  /** The port of the admin API, health and metrics. */
  public int adminPort() {
    return web.adminPort();
  }

  /** The local URL of the admin API, health and metrics. */
  public String adminUrl() {
    return parts.settings.adminUrl(adminPort());
  }

  public String baseUrl() {
    return parts.settings.baseUrl(port());
  }

  public String operatorKey() {
    return operatorKey;
  }

  public Path dataFolder() {
    return folder.path();
  }

  /** The embedded PostgreSQL; null if an external one is used. */
  public @Nullable EmbeddedPostgres postgres() {
    return postgres;
  }

  /** The calls that wait for a change. */
  public ChangeWaiters waiting() {
    return parts.calls.waiters;
  }

  /** The concurrency limits of the server. */
  public ConcurrencyLimits limits() {
    return parts.limits;
  }

  /** The directory and the cells. */
  public Cells cells() {
    return parts.cells;
  }

  /** The merchants' pictures. */
  public Pictures pictures() {
    return parts.pictures;
  }

  /** The URL of the console. */
  public String consoleUrl() {
    return baseUrl() + ConsoleServlet.PATH;
  }

  /** The one-time link for becoming the first operator; null if an operator exists. */
  public @Nullable String firstOperatorLink() throws SQLException {
    String path = parts.people.links.makeForFirstOperator();
    if (path == null) {
      folder.delete(FIRST_OPERATOR_FILE);
      return null;
    }
    return baseUrl() + path;
  }

  /**
   * Writes a link for becoming the first operator to a file in the data folder, because standard
   * output may be a log that others read; null if an operator exists.
   */
  public @Nullable Path firstOperatorFile() throws SQLException {
    String link = firstOperatorLink();
    return link == null ? null : folder.write(FIRST_OPERATOR_FILE, link);
  }

  /** Every method and path of the interface and of the admin API. */
  public List<String> addresses() {
    return Stream.concat(
            parts.calls.routes.addresses().stream(), parts.adminRoutes.addresses().stream())
        .sorted()
        .toList();
  }

  /** The console servlet. */
  public ConsoleServlet console() {
    return console;
  }

  /** Fills the demo marketplace; only the demo uses it. */
  public Demo demo() {
    return parts.demo();
  }

  /** Waits until load balancers notice that this node is not ready and stop sending requests. */
  private static void drain(Duration time) {
    long deadline = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = deadline - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
    }
  }

  /** Reports "not ready", keeps serving for the drain time, lets requests finish, and stops. */
  @Override
  public void close() {
    parts.health.stop();
    parts.calls.waiters.close();
    drain(parts.settings.get(Settings.DRAIN_TIME));
    web.close();
    open.close();
    if (postgres != null) {
      postgres.close();
    }
    folder.close();
  }
}
