package io.stockroom.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Shows how an import ended, saves the rejected rows, and says what to do next. */
final class ImportOutcome {
  private final Output output;
  private final AdminApi api;

  ImportOutcome(Given given) {
    this.output = given.output();
    this.api = given.api();
  }

  /**
   * Returns the exit code.
   *
   * @param original the uploaded file
   * @param asked where to write the rejected rows
   * @param isKept whether they are saved next to the file if no path is given
   */
  int conclude(ImportJob job, Path original, @Nullable Path asked, boolean isKept) {
    boolean isStandardInput = original.toString().equals("-");
    Path beside = isStandardInput ? Path.of("import-" + job.id() + ".csv") : original;
    boolean isSaved = job.hasRejected() && (isKept || asked != null);
    Path rejected = isSaved ? keepRejected(job, beside, asked) : null;
    output.show(
        () -> {
          var finished = ImportReport.finished(job);
          return rejected == null
              ? finished
              : finished.put("rejectedFile", rejected.toAbsolutePath().normalize().toString());
        },
        () -> report(job));
    String next = next(job, isStandardInput ? null : original, rejected);
    if (!next.isEmpty()) {
      output.problem(next);
    }
    return isGood(job) ? 0 : 1;
  }

  /** A failure to save the rejected rows must not hide the result of the import. */
  private @Nullable Path keepRejected(ImportJob job, Path beside, @Nullable Path asked) {
    try {
      RejectedRows rows = new RejectedRows(api);
      return asked == null ? rows.keep(job, beside) : rows.write(job, asked);
    } catch (CommandException failure) {
      output.problem(
          "%s Get the rejected rows with: stockroom import show %d --rejected FILE"
              .formatted(failure.sentence(), job.id()));
      return null;
    }
  }

  /** Like {@link #conclude}, for an import whose file is not here: saves no rejected rows. */
  int concludeElsewhere(ImportJob job) {
    output.show(() -> ImportReport.finished(job), () -> report(job));
    String rejected =
        job.hasRejected()
            ? " To get their rows with the reasons: stockroom import show %d --rejected FILE"
                .formatted(job.id())
            : "";
    if (!isGood(job)) {
      output.problem(
          (job.state().equals("applied")
                  ? ImportReport.bad(job) + "; the others were imported."
                  : ImportReport.ending(job))
              + rejected);
    } else if (job.state().equals("planned")) {
      output.problem(next(job, null, null));
    }
    return isGood(job) ? 0 : 1;
  }

  /** Like {@link #concludeElsewhere}, for an undo. What was changed since is no failure. */
  int concludeUndo(ImportJob job) {
    boolean isDone = job.state().equals("applied");
    output.show(
        () -> ImportReport.finished(job),
        () -> {
          if (isDone) {
            output.line(
                "%s and %s restored by job %d; %s changed since and left unchanged."
                    .formatted(
                        Values.count(
                            job.json().path("stock").path("changed").asLong(0),
                            "stock entry",
                            "stock entries"),
                        Values.count(job.count("changed"), "product", "products"),
                        job.id(),
                        Values.count(job.count("failed"), "was", "were")));
          }
          new ImportReport(job, output).remarks();
        });
    if (!isDone) {
      output.problem(ImportReport.ending(job));
    }
    return isDone ? 0 : 1;
  }

  private void report(ImportJob job) {
    ImportReport report = new ImportReport(job, output);
    report.source();
    report.result();
    if (job.state().equals("planned")) {
      report.differences();
    }
    report.remarks();
  }

  private static boolean isGood(ImportJob job) {
    boolean isDone = job.state().equals("applied") || job.state().equals("planned");
    return isDone && job.count("failed") == 0;
  }

  private static String next(ImportJob job, @Nullable Path original, @Nullable Path rejected) {
    boolean isBad = job.count("failed") > 0;
    String again =
        rejected == null
            ? "Correct them and import them again."
            : "Correct their rows in %s and import that: stockroom product import --merchant %d %s"
                .formatted(rejected, job.merchantId(), Shell.quoted(rejected.toString()));
    return switch (job.state()) {
      case "applied" -> isBad ? ImportReport.bad(job) + "; the others were imported. " + again : "";
      case "planned" ->
          isBad
              ? ImportReport.bad(job)
                  + (rejected == null
                      ? ". Write their rows, with the reasons, with: stockroom import show %d --rejected FILE."
                          .formatted(job.id())
                      : "; their rows, with the reasons, are in " + rejected + ".")
                  + " Nothing was changed. Import the others with: stockroom import apply %d --skip-bad"
                      .formatted(job.id())
              : "Nothing was changed. Apply this plan with: stockroom import apply " + job.id();
      case "refused" ->
          ImportReport.ending(job)
              + " Correct them in %s and import it again; or import the others with --skip-bad"
                  .formatted(original == null ? "the source" : original)
              + (rejected == null ? "." : ", then correct %s and import that.".formatted(rejected));
      default -> ImportReport.ending(job);
    };
  }
}
