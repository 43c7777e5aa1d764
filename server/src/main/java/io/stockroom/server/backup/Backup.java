package io.stockroom.server.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.SchemaVersion;
import io.stockroom.core.database.Sql;
import io.stockroom.core.database.TableCopy;
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

  /** A finished backup: its manifest, its length, and its SHA-256. */
  public record Made(Manifest manifest, long bytes, String sha256) {}

  private Backup() {}

  /** Rejects an existing file before any work. */
  public static void refuseExisting(Path file) {
    if (Files.exists(file)) {
      throw new BackupException(
          "The file " + file + " exists already. Choose another name, or replace it with --force.");
    }
  }

  /**
   * Writes the backup. If it fails, the file does not exist, or has its earlier content.
   *
   * @param replace whether an existing file may be replaced
   */
  public static Made write(Database database, Path file, boolean replace, TableCopy.Watcher watcher)
      throws SQLException, IOException {
    if (Files.isDirectory(file)) {
      throw new BackupException(file + " is a folder; name a file in it.");
    }
    if (!replace) {
      refuseExisting(file);
    }
    List<String> elsewhere = CellTable.elsewhere(database);
    if (!elsewhere.isEmpty()) {
      throw new BackupException(
          "The data of merchants is in databases of their own (cells: %s), which this command does not save. Back up the directory and every cell with the tools of PostgreSQL, as docs/operators/cells.md shows; no file was written."
              .formatted(String.join(", ", elsewhere)));
    }
    String schemaVersion = SchemaVersion.current(database);
    if (schemaVersion == null) {
      throw new BackupException(
          "The database contains no tables of Stockroom; there is nothing to back up.");
    }
    try (AtomicFile unfinished = AtomicFile.beside(file)) {
      Manifest manifest = fill(database, unfinished.channel(), schemaVersion, watcher);
      long bytes = unfinished.channel().size();
      String sha256 = seal(unfinished.channel());
      if (!replace) {
        refuseExisting(file);
      }
      unfinished.finish();
      return new Made(manifest, bytes, sha256);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static Manifest fill(
      Database database, FileChannel channel, String schemaVersion, TableCopy.Watcher watcher)
      throws SQLException {
    List<Tables.Table> known = database.read(Tables::all);
    return database.writeOnce(
        connection -> {
          String takenAt = begin(connection, known);
          if (!Tables.all(connection).equals(known)) {
            throw new BackupException(
                "A newer server is changing the tables. Run the backup again.");
          }
          try {
            OutputStream file = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
            Manifest manifest = archive(connection, file, schemaVersion, takenAt, known, watcher);
            file.flush();
            return manifest;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Starts the snapshot. Takes the locks first: they block migrations, and nothing else. */
  private static String begin(Connection connection, List<Tables.Table> tables)
      throws SQLException {
    SNAPSHOT.on(connection).update();
    Tables.waitAsLongAsItTakes(connection);
    Tables.lock(connection, tables, "access share");
    return NOW.on(connection).one(row -> row.getString(1));
  }

  private static Manifest archive(
      Connection connection,
      OutputStream file,
      String schemaVersion,
      String takenAt,
      List<Tables.Table> tables,
      TableCopy.Watcher watcher)
      throws SQLException, IOException {
    ZipOutputStream zip = new ZipOutputStream(file, UTF_8);
    // half of the bytes are random identifiers, which do not compress
    zip.setLevel(Deflater.BEST_SPEED);
    zip.setComment(BackupLayout.comment("0".repeat(BackupLayout.DIGEST_CHARACTERS)));
    put(zip, BackupLayout.FIRST, BackupLayout.EXPLANATION.getBytes(UTF_8));
    List<Manifest.Table> parts = new ArrayList<>();
    for (Tables.Table table : tables) {
      zip.putNextEntry(new ZipEntry(BackupLayout.entry(table.name())));
      parts.add(copy(connection, table, new TableOutputStream(table.name(), zip, watcher)));
      zip.closeEntry();
    }
    // after the tables, so a sequence is never lower than a number in them
    Manifest manifest =
        new Manifest(Manifest.FORMAT, schemaVersion, takenAt, parts, Tables.sequences(connection));
    put(zip, BackupLayout.MANIFEST, manifest.json());
    zip.finish();
    return manifest;
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
    MessageDigest digest = TableOutputStream.sha256();
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
