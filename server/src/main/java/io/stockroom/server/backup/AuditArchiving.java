package io.stockroom.server.backup;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.audit.AuditArchive;
import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;

/** Moves old entries of the audit logs of all cells to a file. */
public final class AuditArchiving {
  private static final Sql IS_MOVING = Sql.of("select 1 from merchant_move where ended_at is null");

  /** The log names people and their addresses. */
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private AuditArchiving() {}

  /** Returns how many entries were archived; if there are none, there is no file. */
  public static long run(MarketplaceDatabases databases, Instant before, Path file)
      throws SQLException, IOException {
    if (databases.directory().read(connection -> IS_MOVING.on(connection).exists())) {
      throw new BackupException(
          "Merchants are moving to another cell. Archive when the moves have ended: stockroom cell"
              + " moves");
    }
    Set<Database> cells = new LinkedHashSet<>();
    for (CellTable.Row row : databases.cells()) {
      cells.add(databases.open(row));
    }
    long archived = 0;
    try (FileChannel out =
        FileChannel.open(
            file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_ONLY)) {
      for (Database cell : cells) {
        archived += AuditArchive.write(cell, before, out);
      }
    } catch (FileAlreadyExistsException taken) {
      throw new BackupException("The file %s exists. Pass another name.".formatted(file), taken);
    } catch (AuditArchive.Broken broken) {
      throw new BackupException(
          "The audit log is not intact: %s. The rest was not archived."
              .formatted(broken.getMessage()),
          broken);
    } finally {
      if (Files.exists(file) && Files.size(file) == 0) {
        Files.delete(file);
      }
    }
    if (archived > 0) {
      new Audit(Cells.single(databases.main()))
          .note(
              Audit.SERVER,
              Actor.operator("command line"),
              "audit.archive",
              String.valueOf(file.getFileName()),
              archived + " entries before " + before);
    }
    return archived;
  }
}
