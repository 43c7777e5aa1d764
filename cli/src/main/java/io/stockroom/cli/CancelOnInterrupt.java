package io.stockroom.cli;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Makes Ctrl-C cancel the import that the command waits for, and print the outcome. */
final class CancelOnInterrupt implements AutoCloseable {
  private final AdminApi api;
  private final Output output;
  private final LiveLine line;
  private final ImportWatch watch;
  private final MerchantId merchant;
  private final Thread hook = new Thread(this::cancel, "cancel");
  private volatile @Nullable ImportJob job;

  CancelOnInterrupt(
      MerchantId merchant, AdminApi api, Output output, LiveLine line, ImportWatch watch) {
    this.merchant = merchant;
    this.api = api;
    this.output = output;
    this.line = line;
    this.watch = watch;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** From now on, Ctrl-C cancels this import. */
  void begun(ImportJob begun) {
    job = begun;
  }

  /** During shutdown, only the shutdown hook prints; this thread waits for it. */
  @Override
  public void close() {
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
          "Interrupted during the upload. Nothing is imported unless the upload was complete; see: stockroom import list --merchant "
              + merchant);
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
      return new ImportJob(api.post(begun.path() + "/cancel", Json.object()));
    } catch (CommandException refused) {
      return new ImportJob(api.get(begun.path()));
    }
  }
}
