package io.stockroom.files.imports.plan;

import io.stockroom.core.database.CopyBuffer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends full buffers to the database while the next rows are read. Until it finishes, nothing else
 * may use the connection.
 */
final class CopyPipe implements AutoCloseable {
  private static final int WAITING_BUFFERS = 3;
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final CopyBuffer END = new CopyBuffer("", 0);

  private final BlockingQueue<CopyBuffer> full = new ArrayBlockingQueue<>(WAITING_BUFFERS);
  private final Thread sender;
  private volatile @Nullable Exception failure;

  CopyPipe(Connection connection) {
    sender = Thread.ofVirtual().name("import-copy").start(() -> send(connection));
  }

  private void send(Connection connection) {
    try {
      for (CopyBuffer buffer = full.take(); buffer != END; buffer = full.take()) {
        buffer.send(connection);
      }
    } catch (SQLException | IOException | RuntimeException broken) {
      failure = broken;
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Queues a buffer; waits if the database is slower than the file. */
  void put(CopyBuffer buffer) throws SQLException, IOException {
    try {
      while (!full.offer(buffer, 100, TimeUnit.MILLISECONDS)) {
        check();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      throw new IOException(ended);
    }
    check();
  }

  /** Waits until everything is in the database; then the connection is free again. */
  void finish() throws SQLException, IOException {
    put(END);
    join();
    check();
  }

  private void check() throws SQLException, IOException {
    switch (failure) {
      case null -> {}
      case SQLException broken -> throw broken;
      case IOException broken -> throw broken;
      case RuntimeException broken -> throw broken;
      case Exception other -> throw new IllegalStateException(other);
    }
  }

  private void join() {
    try {
      boolean _ = sender.join(LONGEST);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops the sender, even in the middle, so that the connection can be returned. */
  @Override
  public void close() {
    full.clear();
    var _ = full.offer(END);
    join();
  }
}
