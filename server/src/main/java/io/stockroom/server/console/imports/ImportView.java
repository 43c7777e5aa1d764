package io.stockroom.server.console.imports;

import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.server.imports.Fault;
import io.stockroom.server.imports.ImportJob;
import io.stockroom.server.imports.ImportReport;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One import in the words of the one who looks at it. */
public record ImportView(ImportJob job, Language language) {
  private static final int VALUES = 3;

  /**
   * A column of the file.
   *
   * @param field what it means; null where it is not read
   * @param values the first that stand in it
   */
  public record ColumnView(int index, String name, @Nullable String field, List<String> values) {
    public boolean isSize() {
      return field != null && Character.isDigit(field.charAt(0));
    }
  }

  /**
   * Something that the import changes.
   *
   * @param field which field, by its name
   * @param of whose, for a field of a stock entry: its colour and size; or empty
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

  /** Something wrong, with its place. */
  public record FaultView(int row, String column, String value, String message) {}

  public String size() {
    return Amounts.bytes(job.bytes());
  }

  public boolean isMoving() {
    return !job.state().resting();
  }

  /** Whether it can be read anew in another way. */
  public boolean isPlannable() {
    return job.state().plannable() && job.fileKept();
  }

  public boolean isApplicable() {
    return job.state() == ImportJob.State.PLANNED && job.fileKept();
  }

  /** Whether the file has been compared with what is there. */
  public boolean isCompared() {
    ImportReport.Counts counts = job.report().counts();
    return counts.created() + counts.changed() + counts.unchanged() + counts.failed() > 0;
  }

  /** Which of the four steps it is at: the file, its columns, the plan, the import. */
  public int step() {
    return switch (job.state()) {
      case WAITING, PLANNING -> job.apply() ? 4 : 2;
      case PLANNED -> 3;
      case APPLYING, APPLIED -> 4;
      case REFUSED, FAILED, CANCELLED, EXPIRED -> isCompared() ? 3 : 2;
    };
  }

  public @Nullable String reason() {
    Fault fault = job.report().reason();
    return fault == null
        ? null
        : new Problem(fault.column(language), fault.code(), List.copyOf(fault.arguments()))
            .sentence(language);
  }

  /** The name of the delimiter that was found, or empty. */
  public String delimiter() {
    ImportReport.Source source = job.report().source();
    String delimiter = source == null ? null : source.delimiter();
    return delimiter == null ? "" : named(delimiter.charAt(0));
  }

  /** The name of the delimiter that was asked for, or empty. */
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
      columns.add(new ColumnView(i, column.column(), column.field(), values(source.sample(), i)));
    }
    return columns;
  }

  private static List<String> values(List<List<String>> sample, int column) {
    return sample.stream()
        .skip(1)
        .filter(row -> column < row.size() && !row.get(column).isBlank())
        .map(row -> row.get(column))
        .distinct()
        .limit(VALUES)
        .toList();
  }

  /** The first lines of a file without columns. */
  public List<String> lines() {
    ImportReport.Source source = job.report().source();
    return source == null || !source.columns().isEmpty()
        ? List.of()
        : source.sample().stream().map(List::getFirst).toList();
  }

  /** Who sent it: a person by the address, everybody else by their kind. */
  public String sender() {
    String name = job.actor().name();
    return name.startsWith("person ") ? name.substring("person ".length()) : name;
  }

  public List<DifferenceView> differences() {
    return job.report().differences().stream().map(DifferenceView::of).toList();
  }

  public List<String> warnings() {
    return job.report().warnings().stream().map(fault -> fault.message(language)).toList();
  }

  public List<FaultView> errors() {
    return job.report().errors().stream()
        .filter(fault -> !fault.equals(job.report().reason()))
        .map(
            fault ->
                new FaultView(
                    fault.row(), fault.column(language), fault.value(), fault.message(language)))
        .toList();
  }
}
