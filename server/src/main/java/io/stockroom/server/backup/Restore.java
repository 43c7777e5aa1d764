package io.stockroom.server.backup;

import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.TableCopy;
import io.stockroom.core.merchants.CellCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Restores a backup into empty databases, completely or not at all. Afterwards no session and no
 * sign-in link is valid, and every active token is marked for review, because it may have been
 * revoked after the backup.
 */
public final class Restore {
  /**
   * The result of a restore.
   *
   * @param auditLog the verification of the audit log, which is restored as it was, intact or not
   * @param tokensToReview how many active tokens are marked
   * @param check what the directory and the restored cells disagree about; sequences are repaired
   */
  public record Restored(Audit.Verdict auditLog, int tokensToReview, CellCheck.Result check) {}

  private final MarketplaceDatabases into;
  private final BackupFile backup;
  private final Map<String, DatabaseAddress> addresses;
  private final TableCopy.Watcher watcher;
  private final List<PartRestore> parts = new ArrayList<>();
  private final List<Cells.Cell> cells = new ArrayList<>();

  /**
   * @param addresses where the databases of cells are, by name; others are where the directory says
   */
  public Restore(
      MarketplaceDatabases into,
      BackupFile backup,
      Map<String, DatabaseAddress> addresses,
      TableCopy.Watcher watcher) {
    this.into = into;
    this.backup = backup;
    this.addresses = Map.copyOf(addresses);
    this.watcher = watcher;
  }

  /** Restores the directory and every cell. */
  public Restored all() throws SQLException, IOException {
    Manifest manifest = backup.manifest();
    if (manifest.cell() != null) {
      throw new BackupException(
          "The file contains only the cell %1$s. Restore it into a marketplace with --cell %1$s."
              .formatted(manifest.cell()));
    }
    PartRestore directory = new PartRestore(into.directory(), backup, manifest, watcher);
    directory.prepare();
    parts.add(directory);
    return run(directory::fill, manifest.cells());
  }

  /** Restores one cell of a marketplace, into an empty database. */
  public Restored cell(String name) throws SQLException, IOException {
    Manifest part = backup.part(name);
    if (into.cells().isEmpty()) {
      throw new BackupException(
          "The database is not that of a marketplace: restore all of it first, without --cell.");
    }
    return run(Tables::waitAsLongAsItTakes, List.of(part));
  }

  private interface Step {
    void run(Connection connection) throws SQLException;
  }

  /**
   * Commits the directory last, and nothing before all rows are copied: a failure before the
   * commits leaves every database empty.
   */
  private Restored run(Step directory, List<Manifest> cellParts) throws SQLException, IOException {
    refuseUnknown(cellParts);
    try {
      into.directory()
          .writeOnce(
              connection -> {
                directory.run(connection);
                List<PartRestore> restores = prepare(connection, cellParts);
                parts.addAll(restores);
                return fill(restores.iterator());
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (PartRestore part : parts) {
      part.finish();
    }
    return verify();
  }

  private Restored verify() throws SQLException {
    boolean isWhole = parts.getFirst().database().isSame(into.directory());
    CellTable.Row main = into.cells().getFirst();
    if (isWhole && main.url() == null) {
      cells.add(new Cells.Cell(main.id(), main.name(), into.directory()));
    }
    Cells opened = Cells.of(into.directory(), cells);
    CellCheck.Result check = new CellCheck(opened).run(true);
    int tokens = parts.stream().mapToInt(PartRestore::tokensToReview).sum();
    return new Restored(new Audit(opened).verify(), tokens, check);
  }

  private void refuseUnknown(List<Manifest> cellParts) {
    Set<String> unknown = new HashSet<>(addresses.keySet());
    cellParts.forEach(part -> unknown.remove(part.cell()));
    if (!unknown.isEmpty()) {
      throw new BackupException(
          "--cell-database names %s, which this restores no database of."
              .formatted(String.join(", ", unknown)));
    }
  }

  private List<PartRestore> prepare(Connection directory, List<Manifest> cellParts)
      throws SQLException {
    List<PartRestore> restores = new ArrayList<>();
    Set<String> used = new HashSet<>();
    for (Manifest part : cellParts) {
      String name = String.valueOf(part.cell());
      DatabaseAddress other = addresses.get(name);
      CellTable.Row _ = MarketplaceDatabases.named(CellTable.withMerchants(directory), name);
      if (other != null) {
        into.relocate(directory, name, other);
      }
      CellTable.Row row = MarketplaceDatabases.named(CellTable.withMerchants(directory), name);
      if (!used.add(into.address(row).jdbcUrl())) {
        throw new BackupException(
            "The cell %s has the same database as another cell. Name an empty database of its own with --cell-database."
                .formatted(name));
      }
      Database database = into.open(row);
      PartRestore restore = new PartRestore(database, backup, part, watcher);
      restore.prepare();
      restores.add(restore);
      cells.add(new Cells.Cell(row.id(), name, database));
    }
    return restores;
  }

  /** Each transaction contains the next one, so that all are open until the last one is filled. */
  private static int fill(Iterator<PartRestore> left) throws SQLException {
    if (!left.hasNext()) {
      return 0;
    }
    PartRestore next = left.next();
    return next.database()
        .writeOnce(
            connection -> {
              next.fill(connection);
              return 1 + fill(left);
            });
  }
}
