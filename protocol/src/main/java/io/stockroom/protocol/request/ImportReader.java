package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Spelling;
import java.util.List;

/** Reads the calls that import files. */
public final class ImportReader {
  /** What the quantities of a file mean, the default first. */
  public static final List<String> MODES = List.of("set", "add", "replace");

  private static final List<String> START_FIELDS =
      List.of("mode", "apply", "skipBad", "name", "header");

  /** The longest name of a file. */
  private static final int MAX_NAME = 255;

  /**
   * The query of {@code /Stock/Import}; its body is the file.
   *
   * @param name the name of the file; empty if there is none
   * @param apply whether to apply the plan
   * @param skipBad whether to apply the good products if others are bad
   * @param hasHeader whether the first row of a table names its columns
   */
  public record ImportRequest(
      String name, String mode, boolean apply, boolean skipBad, boolean hasHeader) {}

  /** A job and a page of its errors. */
  public record JobPage(int job, int page) {}

  /** A job to apply. */
  public record JobToApply(int job, boolean skipBad) {}

  private ImportReader() {}

  /** {@code /Stock/Import}: all fields are in the query. */
  public static ImportRequest start(RequestContent content) throws InvalidRequest {
    FormReader form = FormReader.ofQuery(content);
    Problems problems = form.problems();
    for (String name : form.names()) {
      Spelling.misspelled(name, START_FIELDS)
          .filter(meant -> !form.names().contains(meant))
          .ifPresent(meant -> problems.add(name, ErrorCode.FIELD_MISSPELLED, name, meant));
    }
    String mode = text(form, "mode");
    if (!mode.isEmpty() && !MODES.contains(mode)) {
      problems.add("mode", ErrorCode.MODE_UNKNOWN, mode, String.join(", ", MODES));
    }
    boolean apply = flag(form, "apply", false);
    boolean skipBad = flag(form, "skipBad", false);
    boolean hasHeader = flag(form, "header", true);
    String name = text(form, "name");
    if (name.length() > MAX_NAME) {
      problems.add("name", ErrorCode.TEXT_TOO_LONG, name, name.length(), MAX_NAME);
    }
    problems.throwIfAny();
    return new ImportRequest(name, mode.isEmpty() ? MODES.get(0) : mode, apply, skipBad, hasHeader);
  }

  /** {@code /Stock/Import/Status}. */
  public static JobPage status(RequestContent content) throws InvalidRequest {
    FormReader form = form(content);
    int job = job(form);
    String page = text(form, "page");
    int number = page.isEmpty() ? 1 : form.problems().positive("page", page);
    form.problems().throwIfAny();
    return new JobPage(job, number);
  }

  /** {@code /Stock/Import/Apply}. */
  public static JobToApply apply(RequestContent content) throws InvalidRequest {
    FormReader form = form(content);
    int job = job(form);
    boolean skipBad = flag(form, "skipBad", false);
    form.problems().throwIfAny();
    return new JobToApply(job, skipBad);
  }

  /** The calls that need only a job. */
  public static int job(RequestContent content) throws InvalidRequest {
    FormReader form = form(content);
    int job = job(form);
    form.problems().throwIfAny();
    return job;
  }

  private static FormReader form(RequestContent content) throws InvalidRequest {
    FormReader.requireFormOrNoBody(content);
    return FormReader.of(content);
  }

  private static int job(FormReader form) {
    String job = text(form, "job");
    if (job.isEmpty()) {
      form.problems().add("job", ErrorCode.FIELD_MISSING, "job");
      return 1;
    }
    return form.problems().positive("job", job);
  }

  private static boolean flag(FormReader form, String name, boolean otherwise) {
    String text = text(form, name);
    if (!text.isEmpty() && !text.equals("true") && !text.equals("false")) {
      form.problems().add(name, ErrorCode.BOOLEAN_FORMAT, text);
    }
    return text.isEmpty() ? otherwise : text.equals("true");
  }

  private static String text(FormReader form, String name) {
    String text = form.get(name);
    return text == null ? "" : text;
  }
}
