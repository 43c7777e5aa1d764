package io.stockroom.files.imports.plan;

import io.stockroom.files.imports.read.Choices.Differing;
import io.stockroom.files.imports.read.Columns;
import io.stockroom.files.imports.read.Field;
import io.stockroom.files.imports.read.FieldTexts;
import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.files.imports.read.JsonStock;
import io.stockroom.files.imports.read.Notes;
import io.stockroom.files.imports.read.ProductRow;
import io.stockroom.files.imports.read.ProductValues;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Size;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The consecutive rows of one product, merged. Its size is bounded by what a product can have,
 * however many rows there are.
 */
final class ProductRows {
  /** A color of the product and its sizes. */
  static final class Color {
    private int key;
    private int row;
    private String name = "";
    private @Nullable String image;
    private int imageRow;
    private final Map<Size, Integer> rows = new HashMap<>();

    int key() {
      return key;
    }

    int row() {
      return row;
    }

    String name() {
      return name;
    }

    @Nullable String image() {
      return image;
    }

    int entries() {
      return rows.size();
    }

    /** Returns 0, or the row that already has the size. */
    int add(Size size, int inRow) {
      Integer earlier = rows.putIfAbsent(size, inRow);
      return earlier == null ? 0 : earlier;
    }
  }

  private final List<Color> colors = new ArrayList<>();
  private final Map<String, Color> byName = new HashMap<>();
  private int used;
  private int nextKey;

  int number;
  int row;
  int lastRow;
  @Nullable String artNo;
  private ProductValues values = new ProductValues();
  private int valuesRow;
  private long lowest;
  private long highest;
  private @Nullable FileProblem incomplete;
  private boolean complete;

  void start(String startedArtNo, int firstRow) {
    number++;
    artNo = startedArtNo;
    row = firstRow;
    lastRow = firstRow;
    values = new ProductValues();
    lowest = Long.MAX_VALUE;
    highest = Long.MIN_VALUE;
    incomplete = null;
    complete = false;
    byName.clear();
    used = 0;
  }

  /**
   * Remembers whether an entry leaves out its color or size.
   *
   * @param missing the column; null if the entry has both
   */
  void entry(@Nullable String missing, int inRow) {
    complete |= missing == null;
    if (missing != null && incomplete == null) {
      incomplete = FileProblem.of(inRow, missing, "", ErrorCode.FIELD_MISSING, missing);
    }
  }

  /** An entry that leaves out its color or size although others do not; null if there is none. */
  @Nullable FileProblem incomplete() {
    return complete ? incomplete : null;
  }

  ProductValues values() {
    return values;
  }

  List<Color> colors() {
    return colors.subList(0, used);
  }

  int colorCount() {
    return used;
  }

  /** The color with this name; null if the product has too many colors. */
  @Nullable Color color(String name, int inRow) {
    Color known = byName.get(name);
    if (known != null || used == JsonStock.MAX_COLORS) {
      return known;
    }
    if (used == colors.size()) {
      colors.add(new Color());
    }
    Color color = colors.get(used++);
    color.key = ++nextKey;
    color.row = inRow;
    color.name = name;
    color.image = null;
    color.rows.clear();
    byName.put(name, color);
    return color;
  }

  /** A color has one picture: the first. */
  void image(Color color, ProductRow.Image image, ProductRow from) {
    if (color.image == null) {
      color.image = image.url();
      color.imageRow = from.row;
    } else if (!color.image.equals(image.url())) {
      differs(from, image.column(), image.url(), color.image, color.imageRow);
    }
  }

  /** Adds the values of another row; where they differ, the choices of the import decide. */
  void add(ProductValues more, ProductRow from, @Nullable Columns columns) {
    if (values.isEmpty()) {
      values = more;
      valuesRow = from.row;
      return;
    }
    Merging merging = new Merging(from, columns);
    values.title = merging.of(Field.TITLE, values.title, more.title);
    values.description = merging.of(Field.DESCRIPTION, values.description, more.description);
    values.cents = merging.price(values.cents, more.cents);
    values.categoryIdTree =
        merging.of(Field.CATEGORY_ID_TREE, values.categoryIdTree, more.categoryIdTree);
    values.categoryNameTree =
        merging.of(Field.CATEGORY_NAME_TREE, values.categoryNameTree, more.categoryNameTree);
    values.imgs = union(values.imgs, more.imgs);
    values.video = merging.of(Field.VIDEO, values.video, more.video);
    boolean first = values.attributeNames == null;
    values.attributeNames =
        merging.of(Field.ATTRIBUTES, values.attributeNames, more.attributeNames);
    values.attributeValues =
        first
            ? more.attributeValues
            : merging.of(Field.ATTRIBUTES, values.attributeValues, more.attributeValues);
  }

  /** Notes the prices of the product, if it has several. */
  void notePrices(Notes notes) {
    Long price = values.cents;
    if (price != null && lowest < highest) {
      notes.add(
          ErrorCode.PRICES_DIFFER,
          "",
          String.valueOf(artNo),
          "%s–%s → %s".formatted(price(lowest), price(highest), price(price)));
    }
  }

  private static String price(long cents) {
    return BigDecimal.valueOf(cents, 2).toPlainString();
  }

  private static @Nullable List<String> union(
      @Nullable List<String> kept, @Nullable List<String> given) {
    if (kept == null || given == null) {
      return kept == null ? given : kept;
    }
    return Stream.concat(kept.stream(), given.stream())
        .distinct()
        .limit(FieldTexts.MAX_IMAGES)
        .toList();
  }

  private void differs(ProductRow from, String column, String given, String kept, int keptRow) {
    if (from.choices.differing() == Differing.REJECT) {
      from.problem(column, given, ErrorCode.ROW_CONFLICT, given, kept, keptRow);
    } else {
      from.notes.add(ErrorCode.VALUES_DIFFER, column, String.valueOf(artNo), "");
    }
  }

  private final class Merging {
    private final ProductRow from;
    private final @Nullable Columns columns;

    Merging(ProductRow from, @Nullable Columns columns) {
      this.from = from;
      this.columns = columns;
    }

    <T> @Nullable T of(Field field, @Nullable T kept, @Nullable T given) {
      if (kept == null || given == null) {
        return kept == null ? given : kept;
      }
      if (!Objects.equals(kept, given)) {
        differs(from, name(field), given.toString(), kept.toString(), valuesRow);
      }
      return kept;
    }

    @Nullable Long price(@Nullable Long kept, @Nullable Long given) {
      if (kept == null || given == null || kept.equals(given)) {
        return kept == null ? given : kept;
      }
      Differing differing = from.choices.differing();
      if (differing == Differing.REJECT) {
        differs(
            from, name(Field.PRICE), ProductRows.price(given), ProductRows.price(kept), valuesRow);
      }
      lowest = Math.min(Math.min(lowest, kept), given);
      highest = Math.max(Math.max(highest, kept), given);
      return differing.price(kept, given);
    }

    private String name(Field field) {
      return columns == null ? field.word() : columns.name(field);
    }
  }
}
