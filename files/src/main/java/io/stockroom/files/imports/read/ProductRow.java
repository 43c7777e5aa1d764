package io.stockroom.files.imports.read;

import io.stockroom.core.catalogue.EmbeddedPictures;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.InvalidValue;
import io.stockroom.protocol.SizeRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The content of one row. One object is reused for all rows. */
public final class ProductRow {
  private static final int MAX_PROBLEMS = 20;

  /**
   * The quantity of each size in a range, for one color.
   *
   * @param missing the column of the color or the size that the row leaves out; null: none
   */
  public record Stock(
      String column,
      String color,
      SizeRange sizes,
      int quantity,
      @Nullable String barCode,
      @Nullable String missing) {
    public Stock(
        String column, String color, SizeRange sizes, int quantity, @Nullable String barCode) {
      this(column, color, sizes, quantity, barCode, null);
    }
  }

  /** The picture of a color. */
  public record Image(String column, String color, String url) {}

  /** A size whose quantity is left empty. */
  public record Blank(String color, SizeRange sizes) {}

  public final Choices choices;

  /** What the quantities mean. */
  final ImportMode mode;

  /** Whether another system made the file: what does not fit is adapted, and noted. */
  final boolean foreign;

  /** What was adapted, for the warnings of the import. */
  public final Notes notes;

  /** Stores pictures in descriptions. */
  EmbeddedPictures pictures = EmbeddedPictures.NONE;

  public int row;
  public @Nullable String artNo;

  /** Null if the row adds nothing to what the row above says about the product. */
  public @Nullable ProductValues values;

  public final List<Stock> stock = new ArrayList<>();
  public final List<Image> images = new ArrayList<>();

  /** In the mode replace: entries that stay as they are, because their cells are empty. */
  public final List<Blank> blanks = new ArrayList<>();

  public final List<FileProblem> problems = new ArrayList<>();
  public Set<String> removed = Set.of();

  ProductRow(Choices choices, boolean foreign, Notes notes) {
    this.choices = choices;
    this.mode = choices.mode();
    this.foreign = foreign;
    this.notes = notes;
  }

  public void start(int number) {
    row = number;
    artNo = null;
    values = null;
    stock.clear();
    images.clear();
    blanks.clear();
    problems.clear();
    removed = Set.of();
  }

  void blank(@Nullable String color, @Nullable SizeRange sizes) {
    if (mode == ImportMode.REPLACE && color != null && sizes != null) {
      blanks.add(new Blank(color, sizes));
    }
  }

  void note(ErrorCode code, String example) {
    notes.add(code, "", artNo == null ? "" : artNo, example);
  }

  public void problem(String column, String value, ErrorCode code, Object... arguments) {
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(FileProblem.of(row, column, value, code, arguments));
    }
  }

  /** Returns the value, or null after adding the problem. */
  <T> @Nullable T check(String column, String value, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (InvalidValue invalid) {
      if (problems.size() < MAX_PROBLEMS) {
        problems.add(FileProblem.of(row, column, value, invalid));
      }
      return null;
    }
  }
}
