package io.stockroom.server.backup;

import io.stockroom.core.database.TableCopy;
import io.stockroom.protocol.Sha256;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/**
 * Counts and digests the rows of one table while writing them. Closing it leaves the target open.
 */
final class TableOutputStream extends FilterOutputStream {
  private final String table;
  private final TableCopy.Watcher watcher;
  private final MessageDigest digest = Sha256.digest();
  private long bytes;
  private long rows;

  TableOutputStream(String table, OutputStream target, TableCopy.Watcher watcher) {
    super(target);
    this.table = table;
    this.watcher = watcher;
  }

  @Override
  public void write(int single) throws IOException {
    write(new byte[] {(byte) single}, 0, 1);
  }

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    out.write(from, offset, length);
    digest.update(from, offset, length);
    bytes += length;
    for (int i = offset; i < offset + length; i++) {
      // copy escapes a line feed within a value as \n
      if (from[i] == '\n') {
        rows++;
      }
    }
    watcher.copied(table, rows);
  }

  @Override
  public void close() throws IOException {
    out.flush();
  }

  /** The summary of all rows; call once, at the end. */
  Manifest.Table summary(List<String> columns) {
    return new Manifest.Table(
        table, columns, rows, bytes, HexFormat.of().formatHex(digest.digest()));
  }
}
