package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.read.FileProblem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report of an import; stored with it as JSON.
 *
 * @param removed the kinds of markup that are removed most often
 * @param removedTotal the descriptions from which something is removed
 */
public record ImportReport(
    @Nullable Source source,
    Counts counts,
    List<Difference> differences,
    List<FileProblem> warnings,
    List<FileProblem> errors,
    List<Removal> removed,
    int removedTotal,
    List<String> ignored,
    @Nullable FileProblem reason) {

  public static final ImportReport EMPTY =
      new ImportReport(
          null, Counts.NONE, List.of(), List.of(), List.of(), List.of(), 0, List.of(), null);

  /**
   * The detected properties of the file.
   *
   * @param encoding null if the format determines it
   * @param delimiter null if there is none
   * @param sample the first rows, clipped, header first; for JSON the first lines
   */
  public record Source(
      String format,
      @Nullable String encoding,
      @Nullable String delimiter,
      int rows,
      List<SourceColumn> columns,
      List<List<String>> sample) {}

  /**
   * A column and what it means.
   *
   * @param field null if it is ignored
   */
  public record SourceColumn(String column, @Nullable String field) {}

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
   * Markup that is removed from descriptions.
   *
   * @param what such as {@code <script>} or {@code <p onclick>}
   * @param row of the first description
   * @param artNo of the first description
   * @param descriptions how many descriptions have it
   */
  public record Removal(String what, int row, String artNo, int descriptions) {}

  public ImportReport because(FileProblem why) {
    return new ImportReport(
        source,
        counts,
        differences,
        warnings,
        errors.isEmpty() ? List.of(why) : errors,
        removed,
        removedTotal,
        ignored,
        why);
  }

  public ImportReport with(Counts found) {
    return new ImportReport(
        source, found, differences, warnings, errors, removed, removedTotal, ignored, reason);
  }

  public ImportReport withSource(Source found, List<String> without) {
    return new ImportReport(
        found, counts, differences, warnings, errors, removed, removedTotal, without, reason);
  }
}
