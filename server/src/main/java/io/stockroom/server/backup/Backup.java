package io.stockroom.server.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.SchemaVersion;
import io.stockroom.core.database.Sql;
import io.stockroom.core.database.TableCopy;
import io.stockroom.protocol.Sha256;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/** Writes a consistent snapshot of the data to a file while the database stays in use. */
public final class Backup {
  private static final int BUFFER = 1 << 16;

  private static final Sql SNAPSHOT =
      Sql.of("set transaction isolation level repeatable read, read only");

  private static final Sql NOW =
      Sql.of(
          """
          select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          """);

  /** A directory of an earlier version has no moves. */
  private static final Sql HAS_MOVES = Sql.of("select to_regclass('merchant_move') is not null");

  /** Moves to or from a cell, or all of them, that are running or have just ended. */
  private static final Sql MOVES =
      Sql.of(
          """
          select 1 from merchant_move m
          join cell f on f.cell_id = m.from_cell
          join cell t on t.cell_id = m.to_cell
          where (m.ended_at is null or m.ended_at >= cast(:since as timestamptz))
            and coalesce(cast(:cell as text) in (f.name, t.name), true)
          limit 1
          """);

  /**
   * A finished backup: its manifest, its length, and its SHA-256.
   *
   * @param leftOut the cells that could not be reached, which have no merchants
   */
  public record Made(Manifest manifest, long bytes, String sha256, List<String> leftOut) {
    private Made with(List<String> cells) {
      return new Made(manifest, bytes, sha256, List.copyOf(cells));
    }
  }

  /** A database to save; of the directory if {@code cell} is null. */
  private record Source(@Nullable String cell, Database database) {}

  private record Snapshot(
      @Nullable String cell,
      Connection connection,
      String schemaVersion,
      String takenAt,
      List<Tables.Table> tables) {}

  private final MarketplaceDatabases from;
  private final List<Source> sources;
  private final TableCopy.Watcher watcher;
  private final List<Snapshot> snapshots = new ArrayList<>();

  private Backup(MarketplaceDatabases from, List<Source> sources, TableCopy.Watcher watcher) {
    this.from = from;
    this.sources = sources;
    this.watcher = watcher;
  }

  /** Rejects an existing file before any work. */
  public static void refuseExisting(Path file) {
    if (Files.exists(file)) {
      throw new BackupException(
          "The file " + file + " exists already. Choose another name, or replace it with --force.");
    }
  }

  /**
   * Writes the backup of the directory and all cells, except cells without merchants that cannot be
   * reached. If it fails, the file does not exist, or has its earlier content.
   *
   * @param replace whether an existing file may be replaced
   */
  public static Made write(
      MarketplaceDatabases from, Path file, boolean replace, TableCopy.Watcher watcher)
      throws SQLException, IOException {
    List<Source> sources = new ArrayList<>();
    sources.add(new Source(null, from.directory()));
    List<String> leftOut = new ArrayList<>();
    List<String> unreachable = new ArrayList<>();
    for (CellTable.Row row : from.cells()) {
      if (row.url() != null) {
        try {
          sources.add(new Source(row.name(), from.open(row)));
        } catch (SQLException failure) {
          if (row.merchants() == 0) {
            leftOut.add(row.name());
          } else {
            unreachable.add(String.valueOf(failure.getMessage()));
          }
        }
      }
    }
    if (!unreachable.isEmpty()) {
      throw new BackupException(
          "These cells have merchants and cannot be reached; no file was written:\n  %s\nA cell that answers can be saved alone with --cell."
              .formatted(String.join("\n  ", unreachable)));
    }
    return new Backup(from, sources, watcher).write(file, replace).with(leftOut);
  }

  /** As {@link #write}, of one cell that is not in the directory's database. */
  public static Made writeCell(
      MarketplaceDatabases from, String cell, Path file, boolean replace, TableCopy.Watcher watcher)
      throws SQLException, IOException {
    CellTable.Row row = MarketplaceDatabases.named(from.cells(), cell);
    return new Backup(from, List.of(new Source(cell, from.open(row))), watcher)
        .write(file, replace);
  }

  private Made write(Path file, boolean replace) throws SQLException, IOException {
    if (Files.isDirectory(file)) {
      throw new BackupException(file + " is a folder; name a file in it.");
    }
    if (!replace) {
      refuseExisting(file);
    }
    for (Source source : sources) {
      if (SchemaVersion.of(source.database).sides().isEmpty()) {
        throw new BackupException(
            "The database%s contains no tables of Stockroom; there is nothing to back up."
                .formatted(source.cell == null ? "" : " of the cell " + source.cell));
      }
    }
    try (AtomicFile unfinished = AtomicFile.beside(file)) {
      Manifest manifest = hold(unfinished.channel());
      long bytes = unfinished.channel().size();
      String sha256 = seal(unfinished.channel());
      if (!replace) {
        refuseExisting(file);
      }
      unfinished.finish();
      return new Made(manifest, bytes, sha256, List.of());
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Begins the snapshots one right after the other, the directory's first: a merchant that is
   * created meanwhile has data that is not used, but no merchant is without data. Each transaction
   * contains the next one, so all snapshots remain while the rows are copied.
   */
  private Manifest hold(FileChannel channel) throws SQLException {
    if (snapshots.size() == sources.size()) {
      refuseMoves();
      return fill(channel);
    }
    Source next = sources.get(snapshots.size());
    boolean withCells = next.cell == null && sources.size() > 1;
    String version = SchemaVersion.of(next.database).toString();
    List<Tables.Table> known = next.database.read(connection -> Tables.all(connection, withCells));
    return next.database.writeOnce(
        connection -> {
          String takenAt = begin(connection, known);
          if (!Tables.all(connection, withCells).equals(known)) {
            throw new BackupException(
                "A newer server is changing the tables. Run the backup again.");
          }
          snapshots.add(new Snapshot(next.cell, connection, version, takenAt, known));
          return hold(channel);
        });
  }

  /** The rows of a merchant that is moving are in two cells, and its move cannot be restored. */
  private void refuseMoves() throws SQLException {
    Snapshot first = snapshots.getFirst();
    boolean isMoving =
        isWithCells()
            && from.directory()
                .read(
                    connection ->
                        HAS_MOVES.on(connection).one(row -> row.getBoolean(1))
                            && MOVES
                                .on(connection)
                                .set("since", first.takenAt)
                                .set("cell", first.cell)
                                .exists());
    if (isMoving) {
      throw new BackupException(
          "Merchants are moving between cells (see: stockroom cell moves). Run the backup again when they have moved; no file was written.");
    }
  }

  private boolean isWithCells() {
    return sources.size() > 1 || sources.getFirst().cell != null;
  }

  /** Starts the snapshot. Takes the locks first: they block migrations, and nothing else. */
  private static String begin(Connection connection, List<Tables.Table> tables)
      throws SQLException {
    SNAPSHOT.on(connection).update();
    Tables.waitAsLongAsItTakes(connection);
    Tables.lock(connection, tables, "access share");
    return NOW.on(connection).one(row -> row.getString(1));
  }

  private Manifest fill(FileChannel channel) throws SQLException {
    try {
      OutputStream file = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
      Manifest manifest = archive(file);
      file.flush();
      return manifest;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Manifest archive(OutputStream file) throws SQLException, IOException {
    ZipOutputStream zip = new ZipOutputStream(file, UTF_8);
    // half of the bytes are random identifiers, which do not compress
    zip.setLevel(Deflater.BEST_SPEED);
    zip.setComment(BackupLayout.comment("0".repeat(BackupLayout.DIGEST_CHARACTERS)));
    put(zip, BackupLayout.FIRST, BackupLayout.EXPLANATION.getBytes(UTF_8));
    List<Manifest> parts = new ArrayList<>();
    for (Snapshot snapshot : snapshots) {
      parts.add(copy(snapshot, zip));
    }
    // after all tables, so a sequence of the directory is never lower than an id in a cell
    for (int i = 0; i < parts.size(); i++) {
      List<Manifest.Sequence> sequences = Tables.sequences(snapshots.get(i).connection);
      parts.set(i, parts.get(i).withSequences(sequences));
    }
    Manifest manifest = parts.getFirst().withCells(parts.subList(1, parts.size()));
    put(zip, BackupLayout.MANIFEST, manifest.json());
    zip.finish();
    return manifest;
  }

  private Manifest copy(Snapshot snapshot, ZipOutputStream zip) throws SQLException, IOException {
    Manifest empty =
        new Manifest(
            isWithCells() ? Manifest.CELLS : Manifest.ONE_DATABASE,
            snapshot.cell,
            snapshot.schemaVersion,
            snapshot.takenAt,
            List.of(),
            List.of(),
            List.of());
    List<Manifest.Table> tables = new ArrayList<>();
    for (Tables.Table table : snapshot.tables) {
      zip.putNextEntry(new ZipEntry(BackupLayout.entry(empty, table.name())));
      TableOutputStream rows = new TableOutputStream(table.name(), zip, watcher);
      tables.add(copy(snapshot.connection, table, rows));
      zip.closeEntry();
    }
    return empty.withTables(tables);
  }

  private static Manifest.Table copy(
      Connection connection, Tables.Table table, TableOutputStream part)
      throws SQLException, IOException {
    // the driver delivers row by row
    BufferedOutputStream rows = new BufferedOutputStream(part, BUFFER);
    String statement =
        "copy (select "
            + table.columnList()
            + " from "
            + Tables.quoted(table.name())
            + ") to stdout";
    long copied = TableCopy.out(connection, statement, rows);
    rows.flush();
    Manifest.Table summary = part.summary(table.columns());
    if (summary.rows() != copied) {
      throw new IllegalStateException(
          "%s: %d rows, and %d lines".formatted(table.name(), copied, summary.rows()));
    }
    return summary;
  }

  private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content);
    zip.closeEntry();
  }

  /** Reads the file, and replaces the placeholder at its end with the digest. */
  private static String seal(FileChannel channel) throws IOException {
    long end = channel.size() - BackupLayout.DIGEST_CHARACTERS;
    MessageDigest digest = Sha256.digest();
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    for (long at = 0; at < end; ) {
      buffer.clear().limit((int) Math.min(BUFFER, end - at));
      at += channel.read(buffer, at);
      digest.update(buffer.flip());
    }
    String sha256 = HexFormat.of().formatHex(digest.digest());
    channel.write(ByteBuffer.wrap(sha256.getBytes(US_ASCII)), end);
    return sha256;
  }
}
