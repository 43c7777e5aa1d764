package io.stockroom.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;

/** Passes a stream through and reports the number of bytes. */
final class ProgressStream extends FilterInputStream {
  /** Receives the number of bytes so far, repeatedly. */
  interface Watcher {
    void passed(long bytes);
  }

  private final Watcher watcher;
  private long count;

  ProgressStream(InputStream stream, Watcher watcher) {
    super(stream);
    this.watcher = watcher;
  }

  /** A watcher that draws the progress, if there is a terminal. */
  static Watcher drawing(String doing, OptionalLong length, LiveLine line, Shell shell) {
    ProgressText text = new ProgressText(UsageBar.in(shell.err().charset()), System.nanoTime());
    return bytes -> {
      if (line.isDue()) {
        line.draw(text.line(doing, bytes, length.orElse(0), "bytes", System.nanoTime()));
      }
    };
  }

  @Override
  public int read() throws IOException {
    int value = super.read();
    advance(value < 0 ? 0 : 1);
    return value;
  }

  @Override
  public int read(byte[] buffer, int offset, int size) throws IOException {
    int read = super.read(buffer, offset, size);
    advance(Math.max(read, 0));
    return read;
  }

  private void advance(int read) {
    count += read;
    watcher.passed(count);
  }
}
