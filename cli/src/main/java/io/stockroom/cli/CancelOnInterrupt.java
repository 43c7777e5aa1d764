package io.stockroom.cli;

import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Follows an import; Ctrl-C cancels it, and prints the outcome. */
final class CancelOnInterrupt implements AutoCloseable {
  private final Given given;
  private final Output output;
  private final ImportWatch watch;
  private final LiveLine line;
  private final long merchantId;
  private final Thread hook = new Thread(this::cancel, "cancel");
  private volatile @Nullable ImportJob job;

  CancelOnInterrupt(long merchantId, Given given) {
    this.merchantId = merchantId;
    this.given = given;
    this.output = given.output();
    this.watch = new ImportWatch(given);
    this.line = new LiveLine(given.shell());
    Runtime.getRuntime().addShutdownHook(hook);
  }

  LiveLine line() {
    return line;
  }

  /**
   * Starts an import and returns it when it has ended.
   *
   * @param planned the import to cancel while it starts; null if there is none yet
   */
  ImportJob follow(@Nullable ImportJob planned, Supplier<ImportJob> start) {
    job = planned;
    ImportJob begun = start.get();
    job = begun;
    return watch.follow(begun, line);
  }

  /** During shutdown, only the shutdown hook prints; this thread waits for it. */
  @Override
  public void close() {
    line.close();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void cancel() {
    line.stop();
    ImportJob begun = job;
    if (begun == null) {
      output.problem(
          "Interrupted during the upload. Nothing is imported unless the upload was complete; see:"
              + " stockroom import list --merchant "
              + merchantId);
      return;
    }
    output.problem("Canceling import %d …".formatted(begun.id()));
    try {
      ImportJob ended = watch.follow(stopped(begun), line);
      output.show(() -> ImportReport.finished(ended), () -> {});
      output.problem(
          switch (ended.state()) {
            case "cancelled" ->
                "Import %d is canceled; nothing was imported.".formatted(ended.id());
            case "applied" ->
                "Import %d was already applied: %s."
                    .formatted(ended.id(), ImportReport.counts(ended));
            default -> ImportReport.ending(ended);
          });
    } catch (CommandException failure) {
      output.problem(failure.sentence());
    }
  }

  /** If the import has ended in the meantime, returns it as it is. */
  private ImportJob stopped(ImportJob begun) {
    try {
      return new ImportJob(given.api().post(begun.path() + "/cancel", Json.object()));
    } catch (CommandException refused) {
      return new ImportJob(given.api().get(begun.path()));
    }
  }
}
