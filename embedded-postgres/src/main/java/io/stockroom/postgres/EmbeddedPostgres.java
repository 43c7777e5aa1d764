package io.stockroom.postgres;

import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.DatabaseRoles;
import io.stockroom.core.database.StartException;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts PostgreSQL in the data folder, supervises it, and restarts it when it exits. Its address
 * stays the same, so connection pools survive a restart.
 */
public final class EmbeddedPostgres implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres.class);
  private static final Duration MAX_FIRST_LAUNCH = Duration.ofSeconds(30);
  private static final String SERVER_ROLE = "stockroom_server";
  private static final int PASSWORD_BYTES = 32;
  private static final Duration LOG_CHECK = Duration.ofMinutes(1);

  /** If it ran at least this long, it is restarted without delay. */
  private static final Duration STEADY = Duration.ofSeconds(2);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

  private final PostgresLog log;
  private final PostgresCommand command;
  private final PostgresBinaries binaries;
  private final DatabaseFiles files;
  private final FolderProcesses processes;
  private final PostgresLogin login;
  private final Thread supervisor;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Object launching = new Object();

  private volatile Postmaster postmaster;
  private volatile boolean ready = true;

  private final String rolePassword;

  private record Launched(Postmaster postmaster, PostgresLogin login) {}

  private EmbeddedPostgres(DataFolder data) throws IOException {
    this.log = new PostgresLog(data.path().resolve("postgres.log"));
    log.limit();
    this.command = PostgresCommand.forThisUser(data);
    this.binaries = PostgresBinaries.locate(data, command);
    this.files = DatabaseFiles.open(data, binaries, command, log);
    this.processes = new FolderProcesses(files.folder());
    processes.clear();
    Launched launched = launchOnFreePort(binaries, command, files, log, processes);
    this.postmaster = launched.postmaster();
    this.login = launched.login();
    this.rolePassword = DataFolder.randomText(PASSWORD_BYTES);
    this.supervisor =
        Thread.ofPlatform().daemon().name("postgres-supervisor").unstarted(this::supervise);
  }

  /**
   * Starts PostgreSQL in a data folder that the caller holds, and returns when it accepts logins.
   * Creates the database on first use, and first stops processes that a killed server left behind.
   */
  public static EmbeddedPostgres start(DataFolder data) {
    data.requireHeld();
    try {
      EmbeddedPostgres postgres = new EmbeddedPostgres(data);
      postgres.prepareRole();
      postgres.supervisor.start();
      return postgres;
    } catch (IOException e) {
      throw new StartException(
          "PostgreSQL could not be started (" + DataFolder.describe(e) + ").", e);
    }
  }

  public String jdbcUrl() {
    return login.url();
  }

  /**
   * The server's role can only read and write rows; it gets a new password at each start. The
   * owner's role is for migrations, and for commands that work on the whole database.
   */
  public DatabaseRoles roles() {
    return new DatabaseRoles(
        new DatabaseAddress(login.url(), SERVER_ROLE, rolePassword), login.ownerAddress());
  }

  public int port() {
    return login.port();
  }

  /** The current process, or the last one. */
  public long pid() {
    return postmaster.pid();
  }

  /** Whether PostgreSQL is running and has accepted a login since its last start. */
  public boolean isRunning() {
    return ready && postmaster.isAlive();
  }

  /** Stops PostgreSQL; closes open connections. Committed data is safe. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    closing.countDown();
    synchronized (launching) {
      postmaster.stop();
      processes.killChildren();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void prepareRole() {
    try {
      login.prepareRole(SERVER_ROLE, rolePassword);
    } catch (SQLException e) {
      postmaster.stop();
      throw new StartException(
          "PostgreSQL is running but does not let Stockroom create the role %s: %s"
              .formatted(SERVER_ROLE, e.getMessage()),
          e);
    }
  }

  private static Launched launchOnFreePort(
      PostgresBinaries binaries,
      PostgresCommand command,
      DatabaseFiles files,
      PostgresLog log,
      FolderProcesses processes)
      throws IOException {
    long deadline = System.nanoTime() + MAX_FIRST_LAUNCH.toNanos();
    int last = files.lastPort();
    while (true) {
      PostgresLogin login = new PostgresLogin(LoopbackPort.choose(last), files.password());
      Postmaster postmaster = Postmaster.launch(binaries, command, files, log, login.port());
      try {
        postmaster.awaitLogin(login);
        return new Launched(postmaster, login);
      } catch (PostgresExitedException e) {
        if (!e.mayPass() || System.nanoTime() - deadline > 0) {
          throw e;
        }
        processes.killChildren();
        LockSupport.parkNanos(FIRST_PAUSE.toNanos());
      }
    }
  }

  private void supervise() {
    Duration pause = FIRST_PAUSE;
    long worksSince = System.nanoTime();
    while (!isClosingWithin(Duration.ZERO)) {
      if (!postmaster.endsWithin(LOG_CHECK)) {
        limitLog();
        continue;
      }
      ready = false;
      if (System.nanoTime() - worksSince > STEADY.toNanos()) {
        pause = FIRST_PAUSE;
      }
      if (isClosingWithin(Duration.ZERO)) {
        return;
      }
      LOG.error(
          "PostgreSQL (process {}) exited with code {}; see {}. Restarting it in" + " {} ms.",
          postmaster.pid(),
          postmaster.exitCode(),
          log,
          pause.toMillis());
      if (isClosingWithin(pause)) {
        return;
      }
      pause = pause.multipliedBy(2).compareTo(MAX_PAUSE) < 0 ? pause.multipliedBy(2) : MAX_PAUSE;
      launchAgain();
      worksSince = System.nanoTime();
    }
  }

  private void launchAgain() {
    try {
      // After closing, the folder may belong to another server, whose processes must not be
      // stopped.
      synchronized (launching) {
        if (isClosingWithin(Duration.ZERO)) {
          return;
        }
        processes.clear();
        postmaster = Postmaster.launch(binaries, command, files, log, login.port());
      }
      postmaster.awaitLogin(login);
      ready = true;
      LOG.info("PostgreSQL is running again (process {}).", postmaster.pid());
    } catch (IOException | RuntimeException e) {
      if (!isClosingWithin(Duration.ZERO)) {
        LOG.error("PostgreSQL could not be restarted.", e);
      }
    }
  }

  private void limitLog() {
    try {
      log.limit();
    } catch (IOException e) {
      LOG.warn("{} is too large and cannot be truncated.", log, e);
    }
  }

  private boolean isClosingWithin(Duration limit) {
    try {
      return closing.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
