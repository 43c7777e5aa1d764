package io.stockroom.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Follows an import until it ends, and shows its progress. */
final class ImportWatch {
  static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long MAX_PAUSE_MILLIS = 500;
  private static final long SAID_EVERY_NANOS = 3_000_000_000L;

  private final AdminApi api;
  private final Shell shell;
  private final Output output;
  private final Duration patience;
  private String phase = "";
  private ProgressText text;
  private long saidAtNanos = System.nanoTime();
  private @Nullable String told;

  ImportWatch(AdminApi api, Shell shell, Output output, Duration patience) {
    this.api = api;
    this.shell = shell;
    this.output = output;
    this.patience = patience;
    this.text = newText();
  }

  /** Returns the ended import; throws if the server stays unreachable. */
  ImportJob follow(ImportJob begun, LiveLine line) {
    ImportJob job = begun;
    long pause = FIRST_PAUSE_MILLIS;
    show(job, line);
    while (job.isRunning()) {
      Pauses.pause(pause);
      pause = Math.min(MAX_PAUSE_MILLIS, pause * 2);
      job = next(job, line);
      show(job, line);
    }
    return job;
  }

  private ImportJob next(ImportJob job, LiveLine line) {
    long lostAtNanos = 0;
    while (true) {
      Optional<JsonNode> answer = api.tryGet(job.path());
      if (answer.isPresent()) {
        return new ImportJob(answer.get());
      }
      if (lostAtNanos == 0) {
        lostAtNanos = System.nanoTime();
        line.draw("The server is unreachable. Trying again …");
      }
      if (System.nanoTime() - lostAtNanos > patience.toNanos()) {
        throw CommandException.failed(
            "The connection to the server is lost. Import %1$d continues on the server. Follow it with: stockroom import watch %1$d"
                .formatted(job.id()));
      }
      Pauses.pause(MAX_PAUSE_MILLIS);
    }
  }

  private void show(ImportJob job, LiveLine line) {
    JsonNode progress = job.json().path("progress");
    String now = progress.path("phase").asString(job.state());
    if (!now.equals(phase)) {
      phase = now;
      text = newText();
    }
    long done = progress.path("done").asLong(0);
    long total = progress.path("total").asLong(0);
    String unit = progress.path("unit").asString("");
    tell(job, progress);
    line.draw(text.line(title(job), done, total, unit, System.nanoTime()));
    boolean isLong = System.nanoTime() - saidAtNanos >= SAID_EVERY_NANOS;
    if (job.isRunning() && isLong && !shell.errIsTerminal()) {
      saidAtNanos = System.nanoTime();
      String share = total > 0 ? " (%d%%)".formatted(Math.min(100, done * 100 / total)) : "";
      shell
          .err()
          .println(
              "Import %d: %s%s"
                  .formatted(
                      job.id(),
                      total > 0 ? phase + ", " + ProgressText.amount(done, total, unit) : phase,
                      share));
    }
  }

  /** Emits an event for every changed step. */
  private void tell(ImportJob job, JsonNode progress) {
    if (!job.isRunning()) {
      return;
    }
    String step = job.state() + Json.line(progress);
    if (step.equals(told)) {
      return;
    }
    told = step;
    output.event(
        () -> {
          var event =
              Json.object()
                  .put("event", "progress")
                  .put("importId", job.id())
                  .put("state", job.state());
          progress.properties().forEach(field -> event.set(field.getKey(), field.getValue()));
          return event;
        });
  }

  private String title(ImportJob job) {
    String word = phase.isEmpty() ? job.state() : phase;
    return String.format(
        Locale.ROOT, "%-9s", word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
  }

  private ProgressText newText() {
    return new ProgressText(UsageBar.in(shell.err().charset()), System.nanoTime());
  }
}
