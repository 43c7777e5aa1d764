package io.stockroom.server.backup;

import io.stockroom.core.database.TableCopy;
import io.stockroom.protocol.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** A backup file whose content was completely read and verified. */
public final class BackupFile implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final Path path;
  private final ZipFile archive;
  private final Manifest manifest;
  private final String sha256;

  private BackupFile(Path path, ZipFile archive, Manifest manifest, String sha256) {
    this.path = path;
    this.archive = archive;
    this.manifest = manifest;
    this.sha256 = sha256;
  }

  /** Opens and verifies the file. */
  public static BackupFile open(Path path, TableCopy.Watcher watcher) {
    try {
      String sha256 = verifyWhole(path);
      ZipFile archive = new ZipFile(path.toFile());
      try {
        Manifest manifest = readManifest(path, archive);
        BackupFile file = new BackupFile(path, archive, manifest, sha256);
        file.verifyParts(watcher);
        return file;
      } catch (IOException | RuntimeException e) {
        archive.close();
        throw e;
      }
    } catch (IOException e) {
      throw new BackupException(path + " cannot be read: " + e.getMessage() + ".", e);
    }
  }

  public Manifest manifest() {
    return manifest;
  }

  /** The part with a cell's database. */
  public Manifest part(String cell) {
    return manifest
        .parts()
        .filter(part -> cell.equals(part.cell()))
        .findFirst()
        .orElseThrow(
            () ->
                new BackupException(
                    "%s does not contain a database of the cell %s.".formatted(path, cell)));
  }

  /** The digest at the end of the file. */
  public String sha256() {
    return sha256;
  }

  /** The rows of a table in {@code copy} format. */
  InputStream rows(Manifest part, String table) throws IOException {
    ZipEntry entry = archive.getEntry(BackupLayout.entry(part, table));
    if (entry == null) {
      throw damaged(path, "the table " + table + " is missing");
    }
    return archive.getInputStream(entry);
  }

  @Override
  public void close() throws IOException {
    archive.close();
  }

  private static String verifyWhole(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new BackupException("There is no file " + path.toAbsolutePath() + ".");
    }
    if (!Files.isRegularFile(path)) {
      throw new BackupException(path + " is not a file.");
    }
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      long length = file.length();
      byte[] head = new byte[(int) Math.min(length, BackupLayout.HEAD_BYTES)];
      file.readFully(head);
      if (!BackupLayout.isHead(head)) {
        throw new BackupException(
            path + (length == 0 ? " is empty." : " is not a backup of Stockroom."));
      }
      byte[] tail = new byte[(int) Math.min(length, BackupLayout.TAIL_BYTES)];
      file.seek(length - tail.length);
      file.readFully(tail);
      String expected = BackupLayout.digest(tail);
      if (expected.isEmpty()) {
        throw new BackupException(
            path
                + " is truncated: its end with the checksum is missing. Copy it again from its source,"
                + " or use another backup.");
      }
      if (!digest(file, length - BackupLayout.DIGEST_CHARACTERS).equals(expected)) {
        throw damaged(path, "its content does not match its checksum");
      }
      return expected;
    }
  }

  private static String digest(RandomAccessFile file, long length) throws IOException {
    MessageDigest digest = Sha256.digest();
    byte[] buffer = new byte[BUFFER];
    file.seek(0);
    for (long left = length; left > 0; ) {
      int read = file.read(buffer, 0, (int) Math.min(BUFFER, left));
      if (read < 0) {
        throw new IOException("it was truncated while being read");
      }
      digest.update(buffer, 0, read);
      left -= read;
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static Manifest readManifest(Path path, ZipFile archive) throws IOException {
    ZipEntry entry = archive.getEntry(BackupLayout.MANIFEST);
    if (entry == null) {
      throw damaged(path, "its table of contents is missing");
    }
    try (InputStream json = archive.getInputStream(entry)) {
      Manifest manifest = Manifest.read(json);
      if (manifest.format() < Manifest.ONE_DATABASE || manifest.format() > Manifest.CELLS) {
        throw new BackupException(
            "%s has format %d, but this Stockroom reads formats up to %d. Restore it with a newer Stockroom."
                .formatted(path, manifest.format(), Manifest.CELLS));
      }
      return manifest;
    }
  }

  private void verifyParts(TableCopy.Watcher watcher) throws IOException {
    Set<String> expected = new HashSet<>(Set.of(BackupLayout.FIRST, BackupLayout.MANIFEST));
    for (Manifest part : manifest.parts().toList()) {
      for (Manifest.Table table : part.tables()) {
        expected.add(BackupLayout.entry(part, table.name()));
        verify(part, table, watcher);
      }
    }
    Set<String> found = new HashSet<>();
    archive.stream().forEach(entry -> found.add(entry.getName()));
    if (!found.equals(expected) || archive.size() != expected.size()) {
      throw damaged(path, "its files differ from its table of contents");
    }
  }

  private void verify(Manifest part, Manifest.Table table, TableCopy.Watcher watcher)
      throws IOException {
    try (InputStream rows = rows(part, table.name());
        TableOutputStream copy =
            new TableOutputStream(table.name(), OutputStream.nullOutputStream(), watcher)) {
      rows.transferTo(copy);
      if (!copy.summary(table.columns()).equals(table)) {
        throw damaged(path, "the rows of " + table.name() + " do not match their checksum");
      }
    }
  }

  private static BackupException damaged(Path path, String how) {
    return new BackupException(
        path + " is damaged: " + how + ". Copy it again from its source, or use another backup.");
  }
}
