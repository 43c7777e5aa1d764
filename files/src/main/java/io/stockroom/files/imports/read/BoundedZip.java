package io.stockroom.files.imports.read;

import io.stockroom.protocol.ErrorCode;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a zip archive front to back and stops when it expands too much. It counts the bytes itself
 * and ignores the sizes that the archive claims.
 */
final class BoundedZip implements AutoCloseable {
  private static final long FREE_BYTES = 16L << 20;
  private static final int MAX_RATIO = 100;

  /** The archive expands to far more than it should. */
  static final class Expands extends IOException {
    private static final long serialVersionUID = 1;
  }

  private static final class Counted extends FilterInputStream {
    private long count;

    Counted(InputStream input) {
      super(input);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      count += read < 0 ? 0 : 1;
      return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = super.read(bytes, offset, length);
      count += Math.max(read, 0);
      return read;
    }
  }

  private final Counted packed;
  private final ZipArchiveInputStream zip;
  private final String name;
  private long expanded;

  BoundedZip(InputStream packed, String name) {
    this.packed = new Counted(packed);
    // not the JDK's, which fails on data descriptors that streaming writers put after a file
    this.zip = new ZipArchiveInputStream(this.packed, "UTF-8", true, true);
    this.name = name;
  }

  /** The name of the next file, which {@link #content} reads; null at the end. */
  @Nullable String next() throws IOException, FileRejection {
    try {
      skip();
      ZipArchiveEntry entry = zip.getNextEntry();
      return entry == null ? null : entry.getName();
    } catch (Expands beyond) {
      throw expands();
    } catch (PieceStream.Lost lost) {
      throw lost;
    } catch (IOException | IllegalArgumentException damaged) {
      throw damaged();
    }
  }

  InputStream content() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return count(zip.read(bytes, offset, length));
      }
    };
  }

  FileRejection expands() {
    return FileRejection.of(ErrorCode.FILE_EXPANDS, name, (expanded >> 20) + " MB");
  }

  FileRejection damaged() {
    return FileRejection.of(
        ErrorCode.FILE_FORMAT, name, "a damaged workbook", "Open it in Excel and save it again.");
  }

  /** Unpacks the unread rest of a file to find the next one; it counts too. */
  private void skip() throws IOException {
    byte[] nothing = new byte[1 << 14];
    int read = 0;
    while (read >= 0) {
      read = count(zip.read(nothing, 0, nothing.length));
    }
  }

  private int count(int read) throws IOException {
    expanded += Math.max(read, 0);
    if (expanded > FREE_BYTES && expanded / MAX_RATIO > packed.count) {
      throw new Expands();
    }
    return read;
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
