package io.stockroom.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Imports files of products and stock; see {@link StockroomClient#imports}. The server runs each
 * import as a job: it plans the changes, applies all of them or none, and can undo them.
 */
public final class ImportJobs {
  private static final String PATH = "/Stock/Import";

  /** Long enough for the largest file over a slow line. */
  private static final Duration MAX_UPLOAD = Duration.ofHours(2);

  private static final Duration POLL_EVERY = Duration.ofMillis(500);

  private final Calls calls;
  private final Retries retries;

  ImportJobs(Calls calls, Retries retries) {
    this.calls = calls;
    this.retries = retries;
  }

  /**
   * Sends a CSV, XLSX or JSON Lines file and starts a job.
   *
   * @param file the file; it is read twice
   * @param mode what its quantities mean
   * @param apply whether to apply the plan if no row has errors; false: only plan
   * @return the job
   */
  public String start(Path file, ImportMode mode, boolean apply) {
    return start(file, mode, apply, CallOptions.NONE);
  }

  /**
   * Like {@link #start(Path, ImportMode, boolean)}, with an idempotency key of your own.
   *
   * @param file the file; it is read twice
   * @param mode what its quantities mean
   * @param apply whether to apply the plan if no row has errors; false: only plan
   * @param options the idempotency key
   * @return the job; with a repeated key, the first one
   */
  public String start(Path file, ImportMode mode, boolean apply, CallOptions options) {
    String key = options.idempotencyKey();
    Path name = file.getFileName();
    String path =
        "%s?mode=%s&apply=%s&name=%s"
            .formatted(
                PATH,
                mode.word(),
                apply,
                URLEncoder.encode(name == null ? "" : name.toString(), StandardCharsets.UTF_8));
    return job(
        OutgoingCall.file(
            path, FileBody.of(file), key == null ? UUID.randomUUID().toString() : key, MAX_UPLOAD));
  }

  /**
   * Returns what a job has done so far, with its first errors.
   *
   * @param job the job
   * @return its status
   */
  public ImportStatus status(String job) {
    return page(job, 1).read(ImportStatus::read);
  }

  /**
   * Waits until a job is planned or has ended.
   *
   * @param job the job
   * @param timeout how long to wait at most
   * @return its status; it may still be running after the timeout
   */
  public ImportStatus await(String job, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    ImportStatus status = status(job);
    while (status.isRunning() && System.nanoTime() - deadline < 0) {
      retries.sleep(POLL_EVERY);
      status = status(job);
    }
    return status;
  }

  /**
   * Lists the errors of a job, in the order of its file.
   *
   * @param job the job
   * @return a stream that fetches pages as it is consumed
   */
  public Stream<ImportError> errors(String job) {
    return Pages.stream(
        number ->
            page(job, number)
                .read(
                    fields ->
                        new Pages.Page<>(
                            fields.whole("totalPages"), fields.list("errors", ImportError::read))));
  }

  /**
   * Applies a planned job.
   *
   * @param job the job
   */
  public void apply(String job) {
    String unused = job(OutgoingCall.form(PATH + "/Apply", field(job)));
  }

  /**
   * Cancels a job that has not ended. Nothing is changed.
   *
   * @param job the job
   */
  public void cancel(String job) {
    String unused = job(OutgoingCall.form(PATH + "/Cancel", field(job)));
  }

  /**
   * Starts a job that restores everything that an applied job changed, except what somebody has
   * changed since: the errors of the new job list that. It can be undone, too.
   *
   * @param job the job to undo
   * @return the new job
   */
  public String undo(String job) {
    return job(OutgoingCall.form(PATH + "/Undo", field(job)));
  }

  private Answer page(String job, int page) {
    return calls.ask(OutgoingCall.read(PATH + "/Status", field(job) + "&page=" + page));
  }

  private String job(OutgoingCall call) {
    return calls.ask(call).read(fields -> fields.text("job"));
  }

  private static String field(String job) {
    return "job=" + URLEncoder.encode(job, StandardCharsets.UTF_8);
  }
}
