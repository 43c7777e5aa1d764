package io.stockroom.cli;

/** Pauses between two looks at the server, for commands that follow something. */
final class Pauses {
  private Pauses() {}

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw CommandException.failed("The command was interrupted.", stopping);
    }
  }
}
