package io.stockroom.server.imports;

import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A stored file as a stream; one piece is in memory at a time. */
final class PieceStream extends InputStream {
  /** Fetches pieces by their number; null after the last. */
  interface Pieces {
    byte @Nullable [] get(int number) throws SQLException;
  }

  private final Pieces pieces;
  private final Runnable atEachPiece;
  private byte[] piece = {};
  private int position;
  private int number;
  private boolean ended;
  private long read;

  /**
   * Begins with the first piece.
   *
   * @param atEachPiece called before each piece is fetched
   */
  PieceStream(Pieces pieces, Runnable atEachPiece) {
    this.pieces = pieces;
    this.atEachPiece = atEachPiece;
  }

  /** How many bytes were given so far. */
  long count() {
    return read;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (position == piece.length && !fetch()) {
      return -1;
    }
    int part = Math.min(length, piece.length - position);
    System.arraycopy(piece, position, into, offset, part);
    position += part;
    read += part;
    return part;
  }

  private boolean fetch() throws IOException {
    if (ended) {
      return false;
    }
    atEachPiece.run();
    try {
      byte[] next = pieces.get(number++);
      ended = next == null || next.length == 0;
      piece = next == null ? new byte[0] : next;
      position = 0;
      return !ended;
    } catch (SQLException failure) {
      throw new Lost(failure);
    }
  }

  /** The database did not give a piece. */
  static final class Lost extends IOException {
    private static final long serialVersionUID = 1;
    private final SQLException failure;

    Lost(SQLException failure) {
      super(failure);
      this.failure = failure;
    }

    SQLException failure() {
      return failure;
    }
  }
}
