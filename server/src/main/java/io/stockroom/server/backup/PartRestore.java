package io.stockroom.server.backup;

import io.stockroom.core.database.CellIdentity;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Migrations;
import io.stockroom.core.database.Schema;
import io.stockroom.core.database.SchemaVersion;
import io.stockroom.core.database.Sql;
import io.stockroom.core.database.TableCopy;
import io.stockroom.files.imports.Imports;
import io.stockroom.protocol.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Restores one part of a backup into one empty database. */
final class PartRestore {
  private static final Sql MARK_TOKENS =
      Sql.of(
          """
          update access_token set restored_at = coalesce(restored_at, now())
          where revoked_at is null and coalesce(expires_at > now(), true)
          """);

  /** Cursors from before the restore may name changes that are not in the backup. */
  private static final Sql RENAME_LOGS = Sql.of("update log_head set log_id = gen_random_uuid()");

  /** Receivers have seen changes that are not in the backup, and perhaps this is only a copy. */
  private static final Sql DISABLE_WEBHOOKS =
      Sql.of(
          """
          update webhook set state = 'disabled', disabled_reason = 'restored', holder = null,
            lease_until = null, batch_last = null, message_id = null
          where state <> 'disabled'
          """);

  private static final Sql OTHER_CELLS = Sql.of("select 1 from cell where cell_id > 1");
  private static final Sql FORGET_CELLS = Sql.of("delete from cell");

  private static final Sql SET_SEQUENCE =
      Sql.of("select setval(:sequence::regclass, :value, :used)");

  private final Database database;
  private final BackupFile backup;
  private final Manifest part;
  private final SchemaVersion version;
  private final boolean withCells;
  private final TableCopy.Watcher watcher;
  private int tokensToReview;

  PartRestore(Database database, BackupFile backup, Manifest part, TableCopy.Watcher watcher) {
    this.database = database;
    this.backup = backup;
    this.part = part;
    this.version = SchemaVersion.parse(part.schemaVersion());
    this.withCells = !part.cells().isEmpty();
    this.watcher = watcher;
  }

  Database database() {
    return database;
  }

  /** How many active tokens are marked. */
  int tokensToReview() {
    return tokensToReview;
  }

  /** Makes the tables, with the schema version of the backup. */
  void prepare() throws SQLException {
    String theirs = part.schemaVersion();
    List<String> known = SchemaVersion.known(database, version);
    if (!known.contains(theirs)) {
      throw new BackupException(
          "The backup has schema version %s, but this Stockroom knows version %s. Restore it with the Stockroom that made it."
              .formatted(theirs, String.join(", ", known)));
    }
    refuseRows(database.read(Tables::filled));
    SchemaVersion present = SchemaVersion.of(database);
    if (present.exceeds(version)) {
      throw new BackupException(
          "The %s already has schema version %s, and the backup has version %s. Restore into a database that no server has used yet."
              .formatted(name(), present, theirs));
    }
    version.make(database);
  }

  private String name() {
    return part.cell() == null ? "database" : "database of the cell " + part.cell();
  }

  private void refuseRows(Optional<String> filled) {
    if (filled.isPresent()) {
      throw new BackupException(
          "The %s is not empty: its table %s has rows. A backup can only be restored into an empty database; nothing was changed."
              .formatted(name(), filled.get()));
    }
  }

  /** Copies the rows, in a transaction that the caller ends. */
  void fill(Connection connection) throws SQLException {
    Tables.waitAsLongAsItTakes(connection);
    List<Tables.Table> tables = Tables.all(connection, withCells);
    Tables.lock(connection, tables, "exclusive");
    refuseRows(Tables.filled(connection));
    refuseOtherTables(connection, tables);
    if (withCells) {
      if (OTHER_CELLS.on(connection).exists()) {
        refuseRows(Optional.of(Tables.CELLS));
      }
      FORGET_CELLS.on(connection).update();
    }
    for (Manifest.Table table : kept()) {
      // table names come from the database catalog, so they are safe in a statement
      copy(connection, table);
      count(connection, table);
    }
    if (version.sides().containsKey(Schema.CELL)) {
      Imports.loseFiles(connection);
      RENAME_LOGS.on(connection).update();
      DISABLE_WEBHOOKS.on(connection).update();
      CellIdentity.forget(connection);
    }
    if (version.sides().containsKey(Schema.DIRECTORY)) {
      tokensToReview = MARK_TOKENS.on(connection).update();
    }
    for (Manifest.Sequence sequence : part.sequences()) {
      set(connection, sequence);
    }
  }

  /** After the commit: the next start would do this; from here on the schema is this version's. */
  void finish() throws SQLException {
    database.settle(database.read(connection -> Tables.list(Tables.all(connection, withCells))));
    Migrations.run(database, version.sides().keySet());
  }

  private List<Manifest.Table> kept() {
    return part.tables().stream()
        .filter(table -> !Tables.isLeftOut(table.name(), withCells))
        .toList();
  }

  private void refuseOtherTables(Connection connection, List<Tables.Table> present)
      throws SQLException {
    Set<Tables.Table> theirs = new HashSet<>();
    kept().forEach(t -> theirs.add(new Tables.Table(t.name(), t.columns())));
    Set<String> theirSequences = new HashSet<>();
    part.sequences().forEach(sequence -> theirSequences.add(sequence.name()));
    Set<String> sequences = new HashSet<>();
    Tables.sequences(connection).forEach(sequence -> sequences.add(sequence.name()));
    if (!theirs.equals(new HashSet<>(present)) || !theirSequences.equals(sequences)) {
      throw new BackupException(
          "The tables or columns of the backup differ from those of schema version %s; nothing was restored."
              .formatted(part.schemaVersion()));
    }
  }

  private void copy(Connection connection, Manifest.Table table) throws SQLException {
    MessageDigest digest = Sha256.digest();
    String statement =
        "copy " + new Tables.Table(table.name(), table.columns()).withColumns() + " from stdin";
    try (InputStream rows = new Watched(backup.rows(part, table.name()), table.name(), digest)) {
      long copied = TableCopy.in(connection, statement, rows);
      boolean same = HexFormat.of().formatHex(digest.digest()).equals(table.sha256());
      if (copied != table.rows() || !same) {
        throw new BackupException(
            "The file changed while being read (at " + table.name() + "); nothing was restored.");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void count(Connection connection, Manifest.Table table) throws SQLException {
    long rows =
        Sql.of("select count(*) from " + Tables.quoted(table.name()))
            .on(connection)
            .one(row -> row.getLong(1));
    if (rows != table.rows()) {
      throw new IllegalStateException(
          "%s has %d rows instead of %d; nothing was restored."
              .formatted(table.name(), rows, table.rows()));
    }
  }

  private static void set(Connection connection, Manifest.Sequence sequence) throws SQLException {
    SET_SEQUENCE
        .on(connection)
        .set("sequence", Tables.quoted(sequence.name()))
        .set("value", sequence.value())
        .set("used", sequence.used())
        .update();
  }

  /** Digests the rows while reading them, and reports progress. */
  private final class Watched extends DigestInputStream {
    private final String table;
    private long rows;

    Watched(InputStream stream, String table, MessageDigest digest) {
      super(stream, digest);
      this.table = table;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = super.read(into, offset, length);
      for (int i = offset; i < offset + read; i++) {
        if (into[i] == '\n') {
          rows++;
        }
      }
      watcher.copied(table, rows);
      return read;
    }
  }
}
