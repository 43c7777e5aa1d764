package io.stockroom.files.imports.read;

import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Streams a stored file. One piece is in memory at a time. */
public final class PieceStream extends InputStream {
  /** Fetches a piece by its number; null after the last one. */
  public interface Pieces {
    byte @Nullable [] get(int number) throws SQLException;
  }

  private final Pieces pieces;
  private final Runnable look;
  private byte[] piece = {};
  private int position;
  private int number;
  private boolean ended;
  private long read;

  /**
   * @param look called at every read, so that reading can be stopped at any time
   */
  public PieceStream(Pieces pieces, Runnable look) {
    this.pieces = pieces;
    this.look = look;
  }

  /** How many bytes have been read. */
  public long count() {
    return read;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    look.run();
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

  /** The database failed to deliver a piece. */
  public static final class Lost extends IOException {
    private static final long serialVersionUID = 1;
    private final SQLException failure;

    Lost(SQLException failure) {
      super(failure);
      this.failure = failure;
    }

    public SQLException failure() {
      return failure;
    }
  }
}
