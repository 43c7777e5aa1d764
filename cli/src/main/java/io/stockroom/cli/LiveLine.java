package io.stockroom.cli;

import io.stockroom.core.database.TableCopy;
import java.io.PrintStream;

/** A terminal line that is redrawn, and cleared at the end. */
final class LiveLine implements AutoCloseable {
  private static final long INTERVAL_NANOS = 100_000_000;
  private static final String WIPE = "\r\u001b[K";

  private final PrintStream terminal;
  private volatile boolean draws;
  private long drawnAtNanos = System.nanoTime();
  private volatile boolean isDrawn;

  LiveLine(Shell shell) {
    this.terminal = shell.err();
    this.draws = shell.errIsTerminal();
  }

  /** Whether to redraw now; always false without a terminal. */
  boolean isDue() {
    return draws && System.nanoTime() - drawnAtNanos >= INTERVAL_NANOS;
  }

  /** Draws which table is being copied, if it is time to. */
  TableCopy.Watcher rows(String doing) {
    return (table, rows) -> {
      if (isDue()) {
        draw("%s %s: %s".formatted(doing, table, Values.count(rows, "row", "rows")));
      }
    };
  }

  void draw(String text) {
    if (!draws) {
      return;
    }
    drawnAtNanos = System.nanoTime();
    isDrawn = true;
    terminal.print(WIPE + text);
    terminal.flush();
  }

  /** Clears the line and ignores later updates. */
  void stop() {
    draws = false;
    close();
  }

  @Override
  public void close() {
    if (isDrawn) {
      isDrawn = false;
      terminal.print(WIPE);
      terminal.flush();
    }
  }
}
