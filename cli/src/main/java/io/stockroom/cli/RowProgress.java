package io.stockroom.cli;

import io.stockroom.core.database.TableCopy;
import java.io.PrintStream;

/** Draws the table and row count on one line, which is cleared at the end. */
final class RowProgress implements TableCopy.Watcher, AutoCloseable {
  private static final long INTERVAL_NANOS = 100_000_000;
  private static final String WIPE = "\r\u001b[K";

  private final PrintStream terminal;
  private final boolean draws;
  private String doing = "";
  private long drawnAtNanos = System.nanoTime();

  RowProgress(Shell shell) {
    this.terminal = shell.err();
    this.draws = shell.errIsTerminal();
  }

  /** Sets the label of the operation. */
  void doing(String what) {
    doing = what;
  }

  @Override
  public void copied(String table, long rows) {
    if (!draws || System.nanoTime() - drawnAtNanos < INTERVAL_NANOS) {
      return;
    }
    drawnAtNanos = System.nanoTime();
    terminal.print(WIPE + "%s %s: %s".formatted(doing, table, Counts.of(rows, "row", "rows")));
    terminal.flush();
  }

  @Override
  public void close() {
    if (draws) {
      terminal.print(WIPE);
      terminal.flush();
    }
  }
}
