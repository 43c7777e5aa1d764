package io.stockroom.postgres;

import io.stockroom.core.database.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of the embedded database in the data folder, and its password. */
record DatabaseFiles(Path folder, String password) {
  static final String USER = "stockroom";

  private static final Logger LOG = LoggerFactory.getLogger(DatabaseFiles.class);
  private static final String PASSWORD_FILE = "postgres.password";
  private static final String UNFINISHED = "postgres.new-";
  private static final int PASSWORD_BYTES = 32;
  private static final Pattern PORT = Pattern.compile("\"port=(\\d{1,5})\"");
  private static final long MAX_INITDB_MINUTES = 5;

  /** Opens the existing files, or creates them on first use. */
  static DatabaseFiles open(
      DataFolder data, PostgresBinaries binaries, PostgresCommand command, PostgresLog log)
      throws IOException {
    Path folder = data.path().resolve("postgres");
    Path passwordFile = data.path().resolve(PASSWORD_FILE);
    Path versionFile = folder.resolve("PG_VERSION");
    if (Files.exists(versionFile)) {
      refuseOtherVersion(folder, Files.readString(versionFile).strip(), binaries.majorVersion());
      if (!Files.exists(passwordFile, LinkOption.NOFOLLOW_LINKS)) {
        throw new StartException(
            "The database in "
                + folder
                + " cannot be opened: its password file "
                + passwordFile
                + " is missing. Restore it from a backup.");
      }
      giveTo(command.account(), folder);
      return new DatabaseFiles(folder, data.secret(PASSWORD_FILE, PASSWORD_BYTES));
    }
    if (Files.exists(folder) && !isEmpty(folder)) {
      throw new StartException(
          "The folder "
              + folder
              + " contains files that are not a PostgreSQL database. Move them away, or choose another"
              + " folder with --data.");
    }
    String password = data.secret(PASSWORD_FILE, PASSWORD_BYTES);
    deleteUnfinished(data.path());
    create(data.path(), folder, passwordFile, binaries, command, log);
    return new DatabaseFiles(folder, password);
  }

  /** The port of the last start; 0 if there was none. */
  int lastPort() {
    try {
      // the command line of the last start, each argument in quotes
      Matcher port = PORT.matcher(Files.readString(folder.resolve("postmaster.opts")));
      return port.find() ? Integer.parseInt(port.group(1)) : 0;
    } catch (IOException none) {
      return 0;
    }
  }

  /** The owner changes if the server was started as root before, or is now. */
  private static void giveTo(@Nullable PostgresAccount account, Path folder) throws IOException {
    if (!CurrentUser.isRoot()) {
      return;
    }
    if (account != null && !account.owns(folder)) {
      account.take(folder);
    } else if (account == null && PostgresAccount.owner(folder) != 0) {
      PostgresAccount.giveTree(folder, 0, 0);
    }
  }

  private static void refuseOtherVersion(Path folder, String theirs, String ours) {
    if (!theirs.equals(ours)) {
      throw new StartException(
          "The database in "
              + folder
              + " was created by PostgreSQL "
              + theirs
              + ", but this Stockroom contains PostgreSQL "
              + ours
              + ". Use the Stockroom that created it to export the data, or choose another folder with"
              + " --data.");
    }
  }

  // Creates the database under a temporary name and renames it, so a folder named postgres is
  // always complete.
  private static void create(
      Path place,
      Path folder,
      Path passwordFile,
      PostgresBinaries binaries,
      PostgresCommand command,
      PostgresLog log)
      throws IOException {
    LOG.info("Creating a new PostgreSQL database in {}.", folder);
    Path unfinished = Files.createTempDirectory(place, UNFINISHED, DataFolder.OWNER_ONLY_FOLDER);
    Path readPassword = Files.createTempFile(place, UNFINISHED, "", DataFolder.OWNER_ONLY_FILE);
    try {
      Files.write(readPassword, Files.readAllBytes(passwordFile));
      giveTo(command.account(), unfinished);
      giveTo(command.account(), readPassword);
      List<String> arguments =
          List.of(
              "--pgdata=" + unfinished,
              "--username=" + USER,
              "--pwfile=" + readPassword,
              "--auth=scram-sha-256",
              // a 256-bit random password cannot be guessed, and more rounds would slow down every
              // login
              "--set=scram_iterations=1",
              "--encoding=UTF8",
              "--locale=C",
              "--data-checksums",
              "--no-instructions");
      long before = log.size();
      Process initdb = command.task(binaries.initdb(), arguments, log.destination()).start();
      if (!initdb.waitFor(MAX_INITDB_MINUTES, TimeUnit.MINUTES)) {
        initdb.destroyForcibly();
        throw new StartException(
            "PostgreSQL took too long to create its database; see " + log + ".");
      }
      if (initdb.exitValue() != 0) {
        throw new StartException(
            "PostgreSQL could not create its database. Its last messages, from "
                + log
                + ":\n"
                + log.since(before));
      }
      Files.move(unfinished, folder, StandardCopyOption.ATOMIC_MOVE);
      DataFolder.force(place);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while PostgreSQL created its database", e);
    } finally {
      Files.deleteIfExists(readPassword);
      PostgresArchive.deleteTree(unfinished);
    }
  }

  private static boolean isEmpty(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> content = Files.list(folder)) {
      return content.findAny().isEmpty();
    }
  }

  private static void deleteUnfinished(Path place) throws IOException {
    List<Path> unfinished;
    try (Stream<Path> content = Files.list(place)) {
      unfinished = content.filter(p -> p.getFileName().toString().startsWith(UNFINISHED)).toList();
    }
    for (Path folder : unfinished) {
      new FolderProcesses(folder).killInitdb();
      PostgresArchive.deleteTree(folder);
    }
  }

  /** Keeps the password out of messages. */
  @Override
  public String toString() {
    return folder.toString();
  }
}
