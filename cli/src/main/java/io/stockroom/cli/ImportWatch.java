package io.stockroom.cli;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Follows an import until it ends, and shows its progress. */
final class ImportWatch {
  private static final long SAID_EVERY_NANOS = 3_000_000_000L;

  private final Given given;
  private String phase = "";
  private Progress progress;
  private long saidAtNanos = System.nanoTime();
  private @Nullable String told;

  ImportWatch(Given given) {
    this.given = given;
    this.progress = new Progress(given.shell());
  }

  /** Returns the ended import; throws if the server stays unreachable. */
  ImportJob follow(ImportJob begun, LiveLine line) {
    String givenUp =
        "Import %1$d continues on the server. Follow it with: stockroom import watch %1$d"
            .formatted(begun.id());
    Runnable lostNow = () -> line.draw("The server is unreachable. Trying again …");
    return new ImportJob(
        new Watch(given.api(), begun.path(), Watch.PATIENCE, lostNow, givenUp)
            .follow(
                begun.json(),
                job -> new ImportJob(job).isRunning(),
                job -> show(new ImportJob(job), line)));
  }

  private void show(ImportJob job, LiveLine line) {
    JsonNode step = job.json().path("progress");
    String now = step.path("phase").asString(job.state());
    if (!now.equals(phase)) {
      phase = now;
      progress = new Progress(given.shell());
    }
    long done = step.path("done").asLong(0);
    long total = step.path("total").asLong(0);
    String unit = step.path("unit").asString("");
    tell(job, step);
    line.draw(progress.line(title(job), done, total, unit));
    boolean isLong = System.nanoTime() - saidAtNanos >= SAID_EVERY_NANOS;
    if (job.isRunning() && isLong && !given.shell().errIsTerminal()) {
      saidAtNanos = System.nanoTime();
      String amount =
          total > 0
              ? ", %s (%d%%)"
                  .formatted(Progress.amount(done, total, unit), Math.min(100, done * 100 / total))
              : "";
      given.shell().err().println("Import %d: %s%s".formatted(job.id(), phase, amount));
    }
  }

  /** Emits an event for every changed step. */
  private void tell(ImportJob job, JsonNode current) {
    if (!job.isRunning()) {
      return;
    }
    String step = job.state() + Json.line(current);
    if (step.equals(told)) {
      return;
    }
    told = step;
    given
        .output()
        .event(
            () -> {
              var event =
                  Json.object()
                      .put("event", "progress")
                      .put("importId", job.id())
                      .put("state", job.state());
              current.properties().forEach(field -> event.set(field.getKey(), field.getValue()));
              return event;
            });
  }

  private String title(ImportJob job) {
    String word = phase.isEmpty() ? job.state() : phase;
    return String.format(
        Locale.ROOT, "%-9s", word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
  }
}
