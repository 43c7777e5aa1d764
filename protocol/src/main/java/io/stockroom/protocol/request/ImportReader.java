package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.Spelling;
import io.stockroom.protocol.Text;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the calls that import files. */
public final class ImportReader {
  /** What the quantities of a file mean, the default first. */
  public static final List<String> MODES = List.of("set", "add", "replace");

  /** Which price a product gets if its rows have several, the default first. */
  public static final List<String> DIFFERING = List.of("lowest", "highest", "first", "reject");

  /** What a size such as {@code 30-32} is: all sizes from 30 to 32, or one text. */
  public static final List<String> RANGES = List.of("sizes", "text");

  /** The fields of the query. */
  public static final List<String> START_FIELDS =
      List.of(
          "mode",
          "apply",
          "skipBad",
          "name",
          "header",
          "map",
          "differing",
          "ranges",
          "onlyColor",
          "onlySize");

  /** The longest name of a file. */
  private static final int MAX_NAME = 255;

  /**
   * The query of {@code /Stock/Import}; its body is the file.
   *
   * @param name the name of the file; empty if there is none
   * @param apply whether to apply the plan
   * @param skipBad whether to apply the good products if others are bad
   * @param hasHeader whether the first row of a table names its columns
   * @param map columns and options, and their fields
   */
  public record ImportRequest(
      String name,
      boolean apply,
      boolean skipBad,
      boolean hasHeader,
      Map<String, String> map,
      Choices choices) {}

  /**
   * What the values of a file mean.
   *
   * @param mode one of {@link #MODES}
   * @param differing one of {@link #DIFFERING}
   * @param ranges one of {@link #RANGES}
   * @param onlyColor the color of products without colors; null: the merchant's word
   * @param onlySize the size of products without sizes; null: the merchant's word
   */
  public record Choices(
      String mode,
      String differing,
      String ranges,
      @Nullable String onlyColor,
      @Nullable String onlySize) {}

  /** A job and a page of its errors. */
  public record JobPage(int job, int page) {}

  /** A job to apply. */
  public record JobToApply(int job, boolean skipBad) {}

  /** The fields of a request. */
  public interface Query {
    @Nullable String get(String name);
  }

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
    Choices choices = choices(form::get, problems);
    Map<String, String> map = map(form.all("map"), problems);
    boolean apply = flag(form, "apply", false);
    boolean skipBad = flag(form, "skipBad", false);
    boolean hasHeader = flag(form, "header", true);
    String name = text(form, "name");
    if (name.length() > MAX_NAME) {
      problems.add("name", ErrorCode.TEXT_TOO_LONG, name, name.length(), MAX_NAME);
    }
    problems.throwIfAny();
    return new ImportRequest(name, apply, skipBad, hasHeader, map, choices);
  }

  /** Reads the choices; {@code query} returns a field, or null. */
  public static Choices choices(Query query, Problems problems) {
    String mode = word(query.get("mode"), MODES);
    if (!MODES.contains(mode)) {
      problems.add("mode", ErrorCode.MODE_UNKNOWN, mode, String.join(", ", MODES));
    }
    String color = query.get("onlyColor");
    String size = query.get("onlySize");
    return new Choices(
        mode,
        oneOf("differing", query, DIFFERING, problems),
        oneOf("ranges", query, RANGES, problems),
        color == null || color.isEmpty()
            ? null
            : problems.check("onlyColor", () -> Text.color(color)),
        size == null || size.isEmpty()
            ? null
            : problems.check("onlySize", () -> Size.of(size).text()));
  }

  /** Reads {@code COLUMN=field} pairs. */
  public static Map<String, String> map(List<String> pairs, Problems problems) {
    Map<String, String> map = new LinkedHashMap<>();
    for (String pair : pairs) {
      int equals = pair.lastIndexOf('=');
      if (equals < 1) {
        problems.add("map", ErrorCode.TEXT_FORMAT, pair, "write COLUMN=field");
      } else {
        map.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
    return map;
  }

  private static String oneOf(String name, Query query, List<String> words, Problems problems) {
    String word = word(query.get(name), words);
    if (!words.contains(word)) {
      problems.add(name, ErrorCode.TEXT_FORMAT, word, "write " + String.join(", ", words));
    }
    return word;
  }

  private static String word(@Nullable String given, List<String> words) {
    return given == null || given.isEmpty() ? words.get(0) : given;
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
