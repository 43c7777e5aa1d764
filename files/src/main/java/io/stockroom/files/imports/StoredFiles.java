package io.stockroom.files.imports;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.FileSize;
import io.stockroom.files.imports.read.Inspection;
import io.stockroom.files.imports.read.PieceStream;
import io.stockroom.files.imports.read.StoredFile;
import io.stockroom.protocol.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Stores the files of imports in the database, in pieces, so that any node can read them. */
public final class StoredFiles {
  private static final int PIECE = 1 << 20;
  private static final Sql PUT =
      Sql.of(
          """
          insert into import_piece (merchant_id, import_id, rejected, number, content)
          select :merchantId, :importId, :rejected, :number, :content where (%s) <= :max
          """
              .formatted(ImportQuota.STORED_BYTES));
  private static final Sql GET =
      Sql.of(
          """
          select content from import_piece
          where merchant_id = :merchantId and import_id = :importId and rejected = :rejected
            and number = :number
          """);
  private static final Sql DELETE =
      Sql.of(
          """
          delete from import_piece
          where merchant_id = :merchantId and import_id = :importId and rejected = :rejected
          """);

  private final Cells cells;

  StoredFiles(Cells cells) {
    this.cells = cells;
  }

  /** A stored upload. */
  record Stored(long bytes, String encoding) {}

  /**
   * Stores an upload.
   *
   * @param max the maximum size of the file in bytes
   * @param quota limits what the merchant stores in total
   */
  Stored store(int merchantId, int importId, InputStream input, long max, ImportQuota quota)
      throws SQLException, IOException, JobRejection {
    Inspection inspection = new Inspection();
    byte[] piece = new byte[PIECE];
    long total = 0;
    for (int number = 0; ; number++) {
      int length = input.readNBytes(piece, 0, PIECE);
      if (length == 0) {
        return new Stored(total, inspection.encoding());
      }
      total += length;
      if (total > max) {
        throw new JobRejection(ErrorCode.FILE_TOO_LARGE, FileSize.shown(max));
      }
      inspection.look(piece, length);
      if (!put(merchantId, importId, false, number, piece, length, quota.maxBytes())) {
        throw quota.tooManyBytes(merchantId);
      }
    }
  }

  /** Adds a piece unless the merchant would then store more than {@code max} bytes. */
  private boolean put(
      int merchantId,
      int importId,
      boolean rejected,
      int number,
      byte[] piece,
      int length,
      long max)
      throws SQLException {
    byte[] content = length == piece.length ? piece : Arrays.copyOf(piece, length);
    return cells
        .of(merchantId)
        .write(
            connection ->
                PUT.on(connection)
                        .set("merchantId", merchantId)
                        .set("importId", importId)
                        .set("rejected", rejected)
                        .set("number", number)
                        .set("content", content)
                        .set("max", max - length)
                        .update()
                    > 0);
  }

  private byte @Nullable [] piece(int merchantId, int importId, boolean rejected, int number)
      throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection ->
                GET.on(connection)
                    .set("merchantId", merchantId)
                    .set("importId", importId)
                    .set("rejected", rejected)
                    .set("number", number)
                    .first(row -> row.getBytes("content")));
  }

  /** The file that the import reads. */
  StoredFile file(ImportJob job) {
    return new StoredFile(
        job.importId(),
        job.name(),
        job.bytes(),
        job.guessedEncoding(),
        job.options(),
        number -> piece(job.merchantId(), job.importId(), false, number));
  }

  /** The same for a file that has no job yet. */
  StoredFile file(Imports.Upload upload, Imports.Order order) {
    return new StoredFile(
        upload.importId(),
        order.name(),
        upload.bytes(),
        upload.encoding(),
        order.options(),
        number -> piece(upload.merchantId(), upload.importId(), false, number));
  }

  /** The rejected rows of an import. */
  InputStream rejected(int merchantId, int importId) {
    return new PieceStream(number -> piece(merchantId, importId, true, number), () -> {});
  }

  /** Replaces the rejected rows of an import. */
  OutputStream replaceRejected(int merchantId, int importId) throws SQLException {
    delete(merchantId, importId, true);
    return new OutputStream() {
      private final byte[] piece = new byte[PIECE];
      private int length;
      private int number;

      @Override
      public void write(int single) throws IOException {
        write(new byte[] {(byte) single}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int count) throws IOException {
        int left = count;
        while (left > 0) {
          int part = Math.min(left, PIECE - length);
          System.arraycopy(bytes, offset + count - left, piece, length, part);
          length += part;
          left -= part;
          if (length == PIECE) {
            send();
          }
        }
      }

      private void send() throws IOException {
        try {
          // not counted against the quota: their size is limited by the size of the source file
          put(merchantId, importId, true, number++, piece, length, Long.MAX_VALUE);
          length = 0;
        } catch (SQLException failure) {
          throw new IOException(failure);
        }
      }

      @Override
      public void close() throws IOException {
        if (length > 0) {
          send();
        }
      }
    };
  }

  void delete(int merchantId, int importId, boolean rejected) throws SQLException {
    cells
        .of(merchantId)
        .write(
            connection ->
                DELETE
                    .on(connection)
                    .set("merchantId", merchantId)
                    .set("importId", importId)
                    .set("rejected", rejected)
                    .update());
  }
}
