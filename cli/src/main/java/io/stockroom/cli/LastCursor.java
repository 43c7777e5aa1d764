package io.stockroom.cli;

/** Says with which cursor to continue, at the end of the command or after Ctrl-C. */
final class LastCursor implements AutoCloseable {
  private final Output output;
  private final Thread hook = new Thread(this::print, "last cursor");
  private volatile String cursor = "";

  LastCursor(Output output) {
    this.output = output;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Everything before this cursor is printed. */
  void reached(String printed) {
    cursor = printed;
  }

  String cursor() {
    return cursor;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      return; // the hook prints it
    }
    print();
  }

  private void print() {
    if (!cursor.isEmpty()) {
      output.problem("Continue with: stockroom changes --after " + cursor);
    }
  }
}
