package io.stockroom.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.OptionalLong;

/** Passes a stream on and draws how much of it went by, on one line that is wiped at the end. */
final class Progress extends FilterInputStream {
  private static final long INTERVAL_NANOS = 100_000_000;
  private static final String WIPE = "\r\u001b[K";

  private final PrintStream terminal;
  private final OptionalLong length;
  private long count;
  private long drawnAtNanos = System.nanoTime();

  Progress(InputStream stream, OptionalLong length, PrintStream terminal) {
    super(stream);
    this.length = length;
    this.terminal = terminal;
  }

  @Override
  public int read() throws IOException {
    int value = super.read();
    advance(value < 0 ? -1 : 1);
    return value;
  }

  @Override
  public int read(byte[] buffer, int offset, int size) throws IOException {
    int read = super.read(buffer, offset, size);
    advance(read);
    return read;
  }

  void wipe() {
    terminal.print(WIPE);
    terminal.flush();
  }

  private void advance(int read) {
    count += Math.max(read, 0);
    boolean isWhole = read < 0;
    if (!isWhole && System.nanoTime() - drawnAtNanos < INTERVAL_NANOS) {
      return;
    }
    drawnAtNanos = System.nanoTime();
    terminal.print(WIPE + line(isWhole));
    terminal.flush();
  }

  private String line(boolean isWhole) {
    if (isWhole) {
      return "Sent %s; the server checks it".formatted(megabytes(count));
    }
    return length.isPresent()
        ? "Sent %s of %s".formatted(megabytes(count), megabytes(length.getAsLong()))
        : "Sent %s".formatted(megabytes(count));
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }
}
