package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.files.imports.read.RowSource.Ignored;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The report of an import; stored with it as JSON. Problems are stored as codes and shown in any
 * language.
 */
public record ImportReport(
    @Nullable Source source,
    Counts counts,
    List<Difference> differences,
    List<FileProblem> warnings,
    List<FileProblem> errors,
    Removed removed,
    Ignored ignored,
    @Nullable FileProblem reason) {
  private static final JsonMapper MAPPER = new JsonMapper();
  public static final ImportReport EMPTY = of(Counts.NONE, List.of(), List.of(), null);

  /** A report may be stored in part. */
  public ImportReport {
    counts = counts == null ? Counts.NONE : counts;
    differences = differences == null ? List.of() : differences;
    warnings = warnings == null ? List.of() : warnings;
    errors = errors == null ? List.of() : errors;
    removed = removed == null ? Removed.NOTHING : removed;
    ignored = ignored == null ? Ignored.NOTHING : ignored;
  }

  /** The report of a job without a file. */
  public static ImportReport of(
      Counts counts,
      List<FileProblem> warnings,
      List<FileProblem> errors,
      @Nullable FileProblem reason) {
    return new ImportReport(
        null, counts, List.of(), warnings, errors, Removed.NOTHING, Ignored.NOTHING, reason);
  }

  /**
   * The detected properties of the file.
   *
   * @param encoding null if the format determines it
   * @param delimiter null if there is none
   * @param lines the first lines, clipped, of a file without columns
   */
  public record Source(
      String format,
      @Nullable String encoding,
      @Nullable String delimiter,
      int rows,
      List<SourceColumn> columns,
      List<String> lines) {}

  /**
   * A column, or an option of products, and what it means.
   *
   * @param field null if it is ignored
   * @param values its first values, clipped
   */
  public record SourceColumn(String column, @Nullable String field, List<String> values) {}

  /** Counts of products and of stock entries. */
  public record Counts(
      int created,
      int changed,
      int unchanged,
      int failed,
      long stockCreated,
      long stockChanged,
      long stockUnchanged) {
    static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0);
  }

  /**
   * One field that the import changes.
   *
   * @param old null if there is none yet
   */
  public record Difference(
      int row, String artNo, String field, @Nullable String old, @Nullable String next) {}

  /**
   * What is removed from descriptions.
   *
   * @param descriptions how many lose something
   * @param kinds the most frequent ones, those that lose visible content first
   */
  public record Removed(int descriptions, List<Removal> kinds) {
    static final Removed NOTHING = new Removed(0, List.of());
  }

  /**
   * Markup that is removed from descriptions.
   *
   * @param what such as {@code <script>} or {@code <p onclick>}
   * @param loses what readers lose: {@code content}, {@code look} or {@code nothing}
   * @param row of the first description
   * @param artNo of the first description
   * @param descriptions how many descriptions have it
   */
  public record Removal(String what, String loses, int row, String artNo, int descriptions) {}

  public ImportReport because(FileProblem why) {
    return new ImportReport(
        source,
        counts,
        differences,
        warnings,
        errors.isEmpty() ? List.of(why) : errors,
        removed,
        ignored,
        why);
  }

  public ImportReport with(Counts found) {
    return new ImportReport(source, found, differences, warnings, errors, removed, ignored, reason);
  }

  public ImportReport withSource(Source found, Ignored without) {
    return new ImportReport(found, counts, differences, warnings, errors, removed, without, reason);
  }

  public String json() {
    return MAPPER.writeValueAsString(this);
  }

  public static ImportReport read(String json) {
    return MAPPER.readValue(json, ImportReport.class);
  }
}
