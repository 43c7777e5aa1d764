package io.stockroom.cli;

import io.stockroom.core.access.SecretBox;
import io.stockroom.core.access.SecretKeys;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.StartException;
import io.stockroom.core.database.TableCopy;
import io.stockroom.core.merchants.CellCheck;
import io.stockroom.core.settings.Settings;
import io.stockroom.demo.generate.Generator;
import io.stockroom.demo.generate.GeneratorException;
import io.stockroom.demo.generate.Plan;
import io.stockroom.postgres.CommandDatabase;
import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.SizeRange;
import io.stockroom.server.Stockroom;
import io.stockroom.server.backup.AuditArchiving;
import io.stockroom.server.backup.Backup;
import io.stockroom.server.backup.BackupException;
import io.stockroom.server.backup.BackupFile;
import io.stockroom.server.backup.Manifest;
import io.stockroom.server.backup.MarketplaceDatabases;
import io.stockroom.server.backup.Restore;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Operations on the database itself, without a server; returns results for display. */
final class DatabaseOperations {
  private interface Work<T> {
    T run(CommandDatabase database, TableCopy.Watcher progress) throws SQLException, IOException;
  }

  private final Shell shell;
  private final Path folder;
  private final Settings settings;

  DatabaseOperations(DatabaseOptions options, Shell shell) {
    this.shell = shell;
    this.folder = options.folder(shell);
    this.settings = ServerProcess.settings(folder, options.asServed().all(), shell);
  }

  /**
   * Writes a backup.
   *
   * @param cell null for the whole marketplace
   */
  ObjectNode backup(Path file, boolean force, @Nullable String cell) {
    long start = System.nanoTime();
    try {
      if (!force) {
        Backup.refuseExisting(file);
      }
    } catch (BackupException refused) {
      throw CommandException.failed(sentence(refused), refused);
    }
    if (isEmbedded() && !CommandDatabase.isIn(folder)) {
      throw CommandException.failed(
          "There is no database in %s. Pass the server's data folder with --data, or its database with --database-url."
              .formatted(folder));
    }
    Backup.Made made =
        onDatabase(
            "Backing up",
            (database, progress) -> {
              try (MarketplaceDatabases from = new MarketplaceDatabases(database, this::keys)) {
                Backup.Made done =
                    cell == null
                        ? Backup.write(from, file, force, progress)
                        : Backup.writeCell(from, cell, file, force, progress);
                record(from, file, cell, done);
                return done;
              }
            });
    ObjectNode result =
        content(file, made.manifest(), made.sha256())
            .put("bytes", made.bytes())
            .put("seconds", secondsSince(start));
    made.leftOut().forEach(result.putArray("leftOut")::add);
    return result;
  }

  /** A read-only standby cannot record a backup; the backup is complete nevertheless. */
  private void record(
      MarketplaceDatabases from, Path file, @Nullable String cell, Backup.Made made) {
    Actor actor = Actor.operator("command line");
    String name = String.valueOf(file.getFileName());
    String content = (cell == null ? "" : "cell " + cell + ", ") + "sha256 " + made.sha256();
    try {
      new Audit(Cells.single(from.main()))
          .note(Audit.SERVER, actor, "server.backup", name, content);
    } catch (SQLException failure) {
      shell
          .err()
          .println(
              "The backup is complete, but the audit log could not record it: "
                  + failure.getMessage());
    }
  }

  /**
   * Restores a backup.
   *
   * @param cell null for all that the file contains
   * @param urls where the databases of cells are, by the names of the cells
   */
  ObjectNode restore(Path file, @Nullable String cell, Map<String, String> urls) {
    Map<String, DatabaseAddress> addresses = addresses(urls);
    long start = System.nanoTime();
    try (LiveLine checking = new LiveLine(shell)) {
      try (BackupFile backup = BackupFile.open(file, checking.rows("Checking"))) {
        Restore.Restored restored =
            onDatabase(
                "Restoring",
                (database, progress) -> {
                  try (MarketplaceDatabases into = new MarketplaceDatabases(database, this::keys)) {
                    Restore restore = new Restore(into, backup, addresses, progress);
                    return cell == null ? restore.all() : restore.cell(cell);
                  }
                });
        Audit.Verdict trail = restored.auditLog();
        Manifest manifest = cell == null ? backup.manifest() : backup.part(cell);
        ObjectNode result = content(file, manifest, backup.sha256());
        result.put("tokensToReview", restored.tokensToReview());
        result
            .putObject("audit")
            .put("intact", trail.intact())
            .put("entries", trail.entries())
            .put("head", trail.head());
        add(result.putObject("check"), restored.check());
        return result.put("seconds", secondsSince(start));
      }
    } catch (BackupException refused) {
      throw CommandException.failed(sentence(refused), refused);
    } catch (IOException refused) {
      throw CommandException.failed(sentence(refused), refused);
    }
  }

  /** Moves the entries of the audit log before that time to a file. */
  ObjectNode archiveAudit(Path file, Instant before) {
    long archived =
        onDatabase(
            "Archiving",
            (database, progress) -> {
              try (MarketplaceDatabases from = new MarketplaceDatabases(database, this::keys)) {
                return AuditArchiving.run(from, before, file);
              }
            });
    return Json.object()
        .put("file", file.toAbsolutePath().normalize().toString())
        .put("entries", archived);
  }

  ObjectNode generate(
      int merchants, int products, int largest, int colors, String sizes, long seed) {
    Plan plan = plan(merchants, products, largest, colors, sizes, seed);
    return onDatabase(
        "Generating",
        (database, progress) -> {
          // excludes the start of the database from the rate
          long start = System.nanoTime();
          Generator.Made made = Generator.run(database.database(), plan, progress);
          double seconds = secondsSince(start);
          return Json.object()
              .put("firstMerchantId", made.firstMerchantId())
              .put("merchants", made.merchants())
              .put("products", made.products())
              .put("productsWithStock", made.stocked())
              .put("entries", made.entries())
              .put("rows", made.rows())
              .put("seconds", seconds)
              .put("rowsPerSecond", Math.round(made.rows() / Math.max(seconds, 0.001)));
        });
  }

  /** The location of the key that encrypts the stored secrets. */
  String keyPlace() {
    return settings.get(Settings.SECRET_KEY).isEmpty()
        ? folder.resolve("secret.key").toString()
        : "the setting secret-key";
  }

  private Plan plan(int merchants, int products, int largest, int colors, String sizes, long seed) {
    try {
      String pictures = settings.baseUrl(settings.get(Settings.PORT));
      return new Plan(merchants, products, largest, colors, SizeRange.parse(sizes), seed, pictures);
    } catch (GeneratorException | InvalidValue wrong) {
      throw CommandException.usage(sentence(wrong));
    }
  }

  private boolean isEmbedded() {
    return settings.get(Settings.DATABASE_URL).isEmpty();
  }

  private <T> T onDatabase(String doing, Work<T> work) {
    try (LiveLine line = new LiveLine(shell);
        CommandDatabase opened = open()) {
      // an interrupted command must stop the PostgreSQL that it started
      Thread stop = new Thread(opened::close, "shutdown");
      Runtime.getRuntime().addShutdownHook(stop);
      try {
        return work.run(opened, line.rows(doing));
      } finally {
        forget(stop);
      }
    } catch (BackupException | GeneratorException | StartException refused) {
      throw CommandException.failed(sentence(refused), refused);
    } catch (SQLException failure) {
      throw CommandException.failed(
          "The database cannot be used: " + failure.getMessage(), failure);
    } catch (IOException failure) {
      // the message is often only a path
      throw CommandException.failed(
          "A file cannot be used (%s: %s)."
              .formatted(failure.getClass().getSimpleName(), failure.getMessage()),
          failure);
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // the hook is already running
    }
  }

  private CommandDatabase open() {
    try {
      return isEmbedded()
          ? CommandDatabase.embedded(folder)
          // a restore makes the tables, and a backup locks them: both need their owner
          : CommandDatabase.outside(Stockroom.externalRoles(settings).owner());
    } catch (StartException refused) {
      throw refused;
    } catch (RuntimeException unreachable) {
      Throwable reason = unreachable.getCause() == null ? unreachable : unreachable.getCause();
      throw CommandException.failed(
          "The database cannot be used: " + reason.getMessage(), unreachable);
    }
  }

  private static ObjectNode content(Path file, Manifest manifest, String sha256) {
    ObjectNode content =
        Json.object()
            .put("file", file.toAbsolutePath().normalize().toString())
            .put("sha256", sha256)
            .put("takenAt", manifest.takenAt())
            .put("schemaVersion", manifest.schemaVersion())
            .put("rows", manifest.rows());
    ArrayNode tables = content.putArray("tables");
    manifest.parts().forEach(part -> part.tables().forEach(table -> add(tables, part, table)));
    return content;
  }

  private static void add(ArrayNode tables, Manifest part, Manifest.Table table) {
    ObjectNode each = tables.addObject();
    if (part.cell() != null) {
      each.put("cell", part.cell());
    }
    each.put("name", table.name()).put("rows", table.rows());
  }

  /** In the form of the admin API. */
  private static void add(ObjectNode result, CellCheck.Result check) {
    result.put("merchants", check.merchants()).put("repaired", true).putArray("unreachable");
    ArrayNode problems = result.putArray("problems");
    for (CellCheck.Problem problem : check.problems()) {
      ArrayNode ids =
          problems
              .addObject()
              .put("cell", problem.cell())
              .put("kind", problem.kind())
              .put("count", problem.count())
              .putArray("ids");
      problem.ids().forEach(ids::add);
    }
  }

  private Map<String, DatabaseAddress> addresses(Map<String, String> urls) {
    Map<String, DatabaseAddress> addresses = new HashMap<>();
    String password = Objects.requireNonNullElse(shell.variable(CellCommands.PASSWORD), "");
    urls.forEach(
        (cell, url) -> {
          try {
            addresses.put(cell, DatabaseAddress.parse(url, "", password));
          } catch (IllegalArgumentException wrong) {
            throw CommandException.usage(
                "--cell-database %s: %s".formatted(cell, wrong.getMessage()));
          }
        });
    return addresses;
  }

  /** The secret key of the server, as it reads it. */
  private SecretBox keys() {
    String secret = settings.get(Settings.SECRET_KEY);
    SecretKeys keys =
        secret.isEmpty()
            ? SecretKeys.ofFile(folder.resolve("secret.key"))
            : SecretKeys.ofSetting(secret);
    return new SecretBox(keys::read);
  }

  private static double secondsSince(long startNanos) {
    return Duration.ofNanos(System.nanoTime() - startNanos).toMillis() / 1000.0;
  }

  private static String sentence(Exception refused) {
    return String.valueOf(refused.getMessage());
  }
}
