package io.stockroom.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.time.Duration;

/** Fails if no data arrives for a minute, because the server may have died. */
final class IdleTimeoutStream extends FilterInputStream {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long LOOK_MILLIS = 1000;

  private final Thread watch;
  // 0 while no read is in progress: a slow consumer does not count as an idle server
  private volatile long waitingSinceNanos;
  private volatile boolean isSilent;

  IdleTimeoutStream(InputStream stream) {
    super(stream);
    watch = Thread.ofVirtual().start(this::watch);
  }

  @Override
  public int read() throws IOException {
    byte[] single = new byte[1];
    return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int size) throws IOException {
    waitingSinceNanos = System.nanoTime();
    try {
      return super.read(buffer, offset, size);
    } catch (IOException e) {
      throw isSilent ? new HttpTimeoutException("the connection is idle") : e;
    } finally {
      waitingSinceNanos = 0;
    }
  }

  @Override
  public void close() throws IOException {
    watch.interrupt();
    super.close();
  }

  private void watch() {
    try {
      for (long since = 0;
          since == 0 || System.nanoTime() - since < PATIENCE.toNanos();
          since = waitingSinceNanos) {
        Thread.sleep(LOOK_MILLIS);
      }
      isSilent = true;
      super.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      isSilent = true;
    }
  }
}
