package io.stockroom.server.imports;

import io.stockroom.server.database.Database;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The files of imports, in pieces in the database, so that any node can read them. */
final class StoredFiles {
  private static final int PIECE = 1 << 20;

  private final Database database;

  StoredFiles(Database database) {
    this.database = database;
  }

  /** What was stored. */
  record Stored(long bytes, String encoding) {}

  /** Stores what is sent; null where that is more than {@code most} bytes. */
  @Nullable Stored store(int merchantId, int importId, InputStream input, long most)
      throws SQLException, IOException {
    Inspection inspection = new Inspection();
    byte[] piece = new byte[PIECE];
    long total = 0;
    for (int number = 0; ; number++) {
      int length = input.readNBytes(piece, 0, PIECE);
      if (length == 0) {
        return new Stored(total, inspection.encoding());
      }
      total += length;
      if (total > most) {
        return null;
      }
      inspection.look(piece, length);
      put(merchantId, importId, false, number, piece, length);
    }
  }

  private void put(
      int merchantId, int importId, boolean rejected, int number, byte[] piece, int length)
      throws SQLException {
    byte[] content = length == piece.length ? piece : Arrays.copyOf(piece, length);
    database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  insert into import_piece (merchant_id, import_id, rejected, number, content)
                  values (?, ?, ?, ?, ?)
                  """)) {
            statement.setInt(1, merchantId);
            statement.setInt(2, importId);
            statement.setBoolean(3, rejected);
            statement.setInt(4, number);
            statement.setBytes(5, content);
            return statement.executeUpdate();
          }
        });
  }

  byte @Nullable [] piece(int merchantId, int importId, boolean rejected, int number)
      throws SQLException {
    return database.read(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  select content from import_piece
                  where merchant_id = ? and import_id = ? and rejected = ? and number = ?
                  """)) {
            statement.setInt(1, merchantId);
            statement.setInt(2, importId);
            statement.setBoolean(3, rejected);
            statement.setInt(4, number);
            try (ResultSet row = statement.executeQuery()) {
              return row.next() ? row.getBytes(1) : null;
            }
          }
        });
  }

  PieceStream open(int merchantId, int importId, boolean rejected, Runnable atEachPiece) {
    return new PieceStream(number -> piece(merchantId, importId, rejected, number), atEachPiece);
  }

  /** Takes the rejected rows of an import; what was there before is replaced. */
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
          put(merchantId, importId, true, number++, piece, length);
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
    database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  delete from import_piece
                  where merchant_id = ? and import_id = ? and rejected = ?
                  """)) {
            statement.setInt(1, merchantId);
            statement.setInt(2, importId);
            statement.setBoolean(3, rejected);
            return statement.executeUpdate();
          }
        });
  }
}
