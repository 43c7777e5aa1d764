package io.stockroom.console.imports;

import io.stockroom.files.imports.ImportJob;
import io.stockroom.files.imports.Imports;
import io.stockroom.files.imports.plan.ImportReport;
import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.files.imports.read.RowSource.Ignored;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An import for display, in the language of the person. */
public record ImportView(ImportJob job, Language language) {
  /**
   * A column of the file.
   *
   * @param field its meaning; null if it is ignored
   * @param values its first values
   */
  public record ColumnView(int index, String name, @Nullable String field, List<String> values) {
    public boolean isSize() {
      return field != null && !Imports.fields().contains(field);
    }
  }

  /**
   * A change that the import makes.
   *
   * @param field which field, by its name
   * @param of the color and size, for a field of a stock entry; otherwise empty
   */
  public record DifferenceView(
      int row, String artNo, String field, String of, @Nullable String old, @Nullable String next) {
    static DifferenceView of(ImportReport.Difference given) {
      int space = given.field().indexOf(' ');
      return new DifferenceView(
          given.row(),
          given.artNo(),
          space < 0 ? given.field() : given.field().substring(0, space),
          space < 0 ? "" : given.field().substring(space),
          given.old(),
          given.next());
    }
  }

  /** A problem and its position. */
  public record ProblemView(int row, String artNo, String column, String value, String message) {}

  /**
   * What an undo left as it is. Of an entry it has all three quantities.
   *
   * @param entry the color and size; empty for the fields of a product
   * @param message the reason; null if the entry was changed since, which is the usual one
   */
  public record KeptView(
      String artNo,
      String entry,
      String before,
      String written,
      String now,
      @Nullable String message) {
    /** The arguments of an entry: product, color, size, quantity before, written, now. */
    static KeptView of(FileProblem kept, Language language) {
      List<String> values = kept.arguments();
      return kept.code() == ErrorCode.PRODUCT_KEPT
          ? new KeptView(kept.artNo(), "", "", "", "", kept.message(language))
          : new KeptView(
              kept.artNo(),
              values.get(1) + " " + values.get(2),
              values.get(3),
              values.get(4),
              values.get(5),
              kept.code() == ErrorCode.ENTRY_KEPT ? null : kept.message(language));
    }
  }

  public String size() {
    return FileSizes.bytes(job.bytes());
  }

  public boolean isMoving() {
    return !job.state().resting();
  }

  /** Whether the import can be planned again with other options. */
  public boolean isPlannable() {
    return job.state().plannable() && job.fileKept();
  }

  public boolean isApplicable() {
    return job.state() == ImportJob.State.PLANNED && job.fileKept();
  }

  /** Whether the file has been compared with the catalog. */
  public boolean isCompared() {
    ImportReport.Counts counts = job.report().counts();
    return counts.created() + counts.changed() + counts.unchanged() + counts.failed() > 0;
  }

  /** The current step of four: file, columns, plan, import. */
  public int step() {
    return switch (job.state()) {
      case WAITING, PLANNING -> job.apply() ? 4 : 2;
      case PLANNED -> 3;
      case APPLYING, APPLIED -> 4;
      case REFUSED, FAILED, CANCELLED, EXPIRED -> isCompared() ? 3 : 2;
    };
  }

  public @Nullable String reason() {
    FileProblem problem = job.report().reason();
    return problem == null
        ? null
        : new Problem(problem.column(language), problem.code(), List.copyOf(problem.arguments()))
            .sentence(language);
  }

  /** The name of the detected delimiter, or empty. */
  public String delimiter() {
    ImportReport.Source source = job.report().source();
    String delimiter = source == null ? null : source.delimiter();
    return delimiter == null ? "" : named(delimiter.charAt(0));
  }

  /** The name of the requested delimiter, or empty. */
  public String askedDelimiter() {
    Character delimiter = job.options().delimiter();
    return delimiter == null ? "" : named(delimiter);
  }

  private static String named(char delimiter) {
    return switch (delimiter) {
      case ';' -> "semicolon";
      case '\t' -> "tab";
      case '|' -> "bar";
      default -> "comma";
    };
  }

  public List<ColumnView> columns() {
    ImportReport.Source source = job.report().source();
    List<ColumnView> columns = new ArrayList<>();
    for (int i = 0; source != null && i < source.columns().size(); i++) {
      ImportReport.SourceColumn column = source.columns().get(i);
      columns.add(new ColumnView(i, column.column(), column.field(), column.values()));
    }
    return columns;
  }

  /** The columns that matter, and those that are ignored and empty or the same in every row. */
  public Map<Boolean, List<ColumnView>> columnsByWorth() {
    Ignored ignored = job.report().ignored();
    int others = ignored.names().size() - ignored.minor();
    Set<String> minor = Set.copyOf(ignored.names().subList(others, ignored.names().size()));
    return columns().stream()
        .collect(
            Collectors.partitioningBy(
                column -> column.field != null || !minor.contains(column.name)));
  }

  /** Whether readers lose what descriptions showed. */
  public boolean losesContent() {
    return job.report().removed().kinds().stream()
        .anyMatch(removal -> removal.loses().equals("content"));
  }

  /** The first lines of a file without columns. */
  public List<String> lines() {
    ImportReport.Source source = job.report().source();
    return source == null ? List.of() : source.lines();
  }

  /** Who uploaded the file: a person's email address, or the type of another actor. */
  public String sender() {
    String name = job.actor().name();
    return name.startsWith("person ") ? name.substring("person ".length()) : name;
  }

  public List<DifferenceView> differences() {
    return job.report().differences().stream().map(DifferenceView::of).toList();
  }

  public List<String> warnings() {
    return job.report().warnings().stream().map(problem -> problem.message(language)).toList();
  }

  /** What an undo left as it is. */
  public List<KeptView> kept() {
    return job.undoes() == null
        ? List.of()
        : problems().map(problem -> KeptView.of(problem, language)).toList();
  }

  private Stream<FileProblem> problems() {
    return job.report().errors().stream().filter(problem -> !problem.equals(job.report().reason()));
  }

  /** The bad rows of a file. */
  public List<ProblemView> errors() {
    if (job.undoes() != null) {
      return List.of();
    }
    return problems()
        .map(
            problem ->
                new ProblemView(
                    problem.row(),
                    problem.artNo(),
                    problem.column(language),
                    problem.value(),
                    problem.message(language)))
        .toList();
  }
}
