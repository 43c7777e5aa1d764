package io.stockroom.server.imports;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an import found, compared and did; kept with the import as JSON. */
public record ImportReport(
    @Nullable Source source,
    Counts counts,
    List<Difference> differences,
    List<Fault> warnings,
    List<Fault> errors,
    List<Removal> removed,
    int removedTotal,
    List<String> ignored,
    @Nullable Fault reason) {

  static final ImportReport EMPTY =
      new ImportReport(
          null, Counts.NONE, List.of(), List.of(), List.of(), List.of(), 0, List.of(), null);

  /**
   * What the file turned out to be.
   *
   * @param encoding null where the format settles it
   * @param delimiter null where there is none
   * @param sample the first rows, clipped, the header first; of JSON the first lines
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
   * @param field null where it is ignored
   */
  public record SourceColumn(String column, @Nullable String field) {}

  /** Products, and stock entries. */
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
   * @param old null where there is nothing yet
   */
  public record Difference(
      int row, String artNo, String field, @Nullable String old, @Nullable String next) {}

  /** What cleaning takes out of a description. */
  public record Removal(int row, String artNo, String what) {}

  ImportReport because(Fault why) {
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

  ImportReport withSource(Source found, List<String> without) {
    return new ImportReport(
        found, counts, differences, warnings, errors, removed, removedTotal, without, reason);
  }
}
