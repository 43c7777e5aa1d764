package io.stockroom.files.imports.plan;

import io.stockroom.core.database.CopyBuffer;
import io.stockroom.core.stock.Guids;
import io.stockroom.files.imports.plan.ImportReport.Removed;
import io.stockroom.files.imports.read.Columns;
import io.stockroom.files.imports.read.Field;
import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.files.imports.read.ImportMode;
import io.stockroom.files.imports.read.JsonStock;
import io.stockroom.files.imports.read.ProductRow;
import io.stockroom.files.imports.read.ProductValues;
import io.stockroom.files.imports.read.RowSource;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Size;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies the rows of a file into temporary tables, for set-based statements. Only one product's
 * rows are in memory at a time.
 */
public final class Staging implements AutoCloseable {
  private static final int BUFFER = 384 << 10;
  private static final int NEW_GUIDS = 1 << 12;

  /** The most sizes of one color, so that a product fits in memory. */
  private static final int MAX_SIZES = 1000;

  /**
   * A {@code varchar} of this length needs no TOAST table, which would make a small import create
   * three relations for each table. No item number, color or barcode is longer.
   */
  private static final String TABLES =
      """
      create temp table import_run (
        run int, item int, row int, last_row int, art_no varchar(64)) on commit drop;
      create temp table import_product (
        run int, title text, description text, cents bigint, category_id_tree text,
        category_name_tree text, imgs text[], video text, attribute_names text[],
        attribute_values text[]) on commit drop;
      create temp table import_color (
        key int, run int, item int, row int, ordinal int, color varchar(64), image text,
        entries int) on commit drop;
      create temp table import_entry (
        key int, row int, size varchar(41) collate "C", size_text varchar(20), quantity int,
        barcode varchar(64), guid uuid) on commit drop;
      create temp table import_problem (
        run int, row int, column_name text, value text, code text, arguments text[])
        on commit drop;
      create temp table import_item (
        item int primary key, art_no varchar(64), row int, runs int, fresh boolean,
        product_id int, number int, has_stock boolean, bad boolean, changed boolean,
        edited boolean) on commit drop;
      create temp table import_color_no (
        key int primary key, item int, color varchar(64), color_no int, fresh boolean)
        on commit drop;
      create temp table import_stock (
        item int, key int, row int, product_id int, color_no int,
        size varchar(41) collate "C", size_text varchar(20), old_quantity int, quantity int, old_barcode varchar(64), barcode varchar(64), guid uuid,
        place tid) on commit drop;
      create temp table import_touched (
        item int, entries int, fresh int, left_out int, zeroed int, jumps int, gone bigint,
        top int) on commit drop;
      create temp table import_image (item int, colors text[], urls text[]) on commit drop;
      """;

  /** Only rows that are read in the mode replace have blanks. */
  private static final String BLANKS =
      "create temp table import_blank (run int, color varchar(64), size varchar(41) collate \"C\")\n"
          + "on commit drop";

  private final RowSource source;
  private final CopyPipe pipe;
  private final Guids guids;
  private final ProductRows run = new ProductRows();
  private final Removals removals = new Removals();
  private final MixedScripts mixedScripts = new MixedScripts();
  private long[] newGuids = {};
  private int nextGuid;
  private CopyBuffer runs = new CopyBuffer("import_run", BUFFER / 4);
  private CopyBuffer products = new CopyBuffer("import_product", BUFFER);
  private CopyBuffer colors = new CopyBuffer("import_color", BUFFER);
  private CopyBuffer entries = new CopyBuffer("import_entry", BUFFER);
  private CopyBuffer blanks = new CopyBuffer("import_blank", BUFFER / 16);
  private CopyBuffer problems = new CopyBuffer("import_problem", BUFFER / 16);
  private boolean coded;
  private boolean textSizes;
  private boolean images;
  private boolean fields;

  private Staging(RowSource source, Connection connection, Guids guids) {
    this.source = source;
    this.guids = guids;
    this.pipe = new CopyPipe(connection);
  }

  public static Staging begin(RowSource source, Connection connection, Guids guids, ImportMode mode)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(mode == ImportMode.REPLACE ? TABLES + BLANKS : TABLES);
    }
    return new Staging(source, connection, guids);
  }

  public void add(ProductRow row) throws SQLException, IOException {
    String artNo = row.artNo;
    if (artNo == null) {
      finishRun();
      putProblems(row, null);
      return;
    }
    if (!artNo.equals(run.artNo) || source.rowsAreProducts()) {
      finishRun();
      run.start(artNo, row.row);
      mixedScripts.look(row.row, name(Field.ART_NO), artNo);
    }
    run.lastRow = row.row;
    if (row.values != null) {
      run.add(row.values, row, source.columns());
    }
    for (ProductRow.Image image : row.images) {
      ProductRows.Color color = color(image.color(), row);
      if (color != null) {
        run.image(color, image, row);
        images = true;
      }
    }
    for (ProductRow.Stock stock : row.stock) {
      ProductRows.Color color = color(stock.color(), row);
      if (color != null) {
        put(color, stock, row);
      }
    }
    for (ProductRow.Blank blank : row.blanks) {
      putBlank(blank);
    }
    if (!row.problems.isEmpty()) {
      putProblems(row, run.number);
    }
    removals.add(source.shownRow(row.row), artNo, row.removed);
  }

  private ProductRows.@Nullable Color color(String name, ProductRow row) {
    int known = run.colorCount();
    ProductRows.Color color = run.color(name, row.row);
    if (run.colorCount() > known) {
      mixedScripts.look(row.row, name(Field.COLOR), name);
    }
    if (color == null) {
      row.problem(
          "color",
          name,
          ErrorCode.COLORS_TOO_MANY,
          String.valueOf(row.artNo),
          JsonStock.MAX_COLORS + 1,
          JsonStock.MAX_COLORS);
    }
    return color;
  }

  private void put(ProductRows.Color color, ProductRow.Stock stock, ProductRow row)
      throws SQLException, IOException {
    run.entry(stock.missing(), row.row);
    for (Size size : stock.sizes().sizes()) {
      if (color.entries() == MAX_SIZES) {
        row.problem(
            stock.column(),
            size.text(),
            ErrorCode.SIZES_TOO_MANY,
            String.valueOf(row.artNo),
            color.name(),
            MAX_SIZES);
        return;
      }
      int earlier = color.add(size, row.row);
      if (earlier > 0) {
        row.problem(
            stock.column(),
            size.text(),
            ErrorCode.ENTRY_REPEATED,
            String.valueOf(row.artNo),
            color.name(),
            size,
            "row " + source.shownRow(earlier));
        continue;
      }
      if (nextGuid == newGuids.length) {
        newGuids = guids.halves(NEW_GUIDS);
        nextGuid = 0;
      }
      textSizes |= size.number().isEmpty();
      String barCode = stock.barCode();
      if (barCode != null) {
        coded = true;
        mixedScripts.look(row.row, name(Field.BAR_CODE), barCode);
      }
      entries
          .row(7)
          .int4(color.key())
          .int4(row.row)
          .text(size.rank())
          .text(size.text())
          .int4(stock.quantity())
          .text(barCode)
          .uuid(newGuids[nextGuid], newGuids[nextGuid + 1]);
      nextGuid += 2;
      if (entries.length() > BUFFER - 256) {
        entries = sent(entries, "import_entry");
      }
    }
  }

  private void putBlank(ProductRow.Blank blank) throws SQLException, IOException {
    for (Size size : blank.sizes().sizes()) {
      blanks.row(3).int4(run.number).text(blank.color()).text(size.rank());
      if (blanks.length() > BUFFER / 16 - 1024) {
        blanks = sent(blanks, "import_blank");
      }
    }
  }

  private void finishRun() throws SQLException, IOException {
    if (run.artNo == null) {
      return;
    }
    runs.row(5).int4(run.number).int4(run.number).int4(run.row).int4(run.lastRow).text(run.artNo);
    run.notePrices(source.notes());
    FileProblem incomplete = run.incomplete();
    if (incomplete != null) {
      putProblem(incomplete, run.number);
    }
    ProductValues values = run.values();
    if (!values.isEmpty()) {
      fields = true;
      putProduct(values);
    }
    int ordinal = 0;
    for (ProductRows.Color color : run.colors()) {
      colors
          .row(8)
          .int4(color.key())
          .int4(run.number)
          .int4(run.number)
          .int4(color.row())
          .int4(ordinal)
          .text(color.name())
          .text(color.image())
          .int4(color.entries());
      ordinal += color.entries() > 0 ? 1 : 0;
    }
    run.artNo = null;
    runs = runs.length() > BUFFER / 4 - 1024 ? sent(runs, "import_run") : runs;
    products = products.length() > BUFFER / 2 ? sent(products, "import_product") : products;
    colors = colors.length() > BUFFER / 2 ? sent(colors, "import_color") : colors;
  }

  private void putProduct(ProductValues values) {
    products.row(10).int4(run.number).text(values.title).text(values.description);
    Long cents = values.cents;
    if (cents == null) {
      products.nothing();
    } else {
      products.int8(cents);
    }
    products
        .text(values.categoryIdTree)
        .text(values.categoryNameTree)
        .texts(values.imgs)
        .text(values.video)
        .texts(values.attributeNames)
        .texts(values.attributeValues);
  }

  private void putProblems(ProductRow row, @Nullable Integer runNumber)
      throws SQLException, IOException {
    for (FileProblem problem : row.problems) {
      putProblem(problem, runNumber);
    }
  }

  private void putProblem(FileProblem problem, @Nullable Integer runNumber)
      throws SQLException, IOException {
    problems.row(6);
    if (runNumber == null) {
      problems.nothing();
    } else {
      problems.int4(runNumber);
    }
    problems
        .int4(problem.row())
        .text(FileProblem.shown(source.sheet(problem.row()) + problem.column()))
        .text(problem.value())
        .text(problem.code().name())
        .texts(problem.arguments());
    if (problems.length() > BUFFER / 16 - 4096) {
      problems = sent(problems, "import_problem");
    }
  }

  private CopyBuffer sent(CopyBuffer buffer, String table) throws SQLException, IOException {
    int capacity = Math.min(buffer.length() + 1024, BUFFER);
    pipe.put(buffer);
    return new CopyBuffer(table, capacity);
  }

  /** Sends the remaining rows and waits until all are in the tables. */
  public void finish() throws SQLException, IOException {
    finishRun();
    for (CopyBuffer rest : List.of(runs, products, colors, entries, blanks, problems)) {
      if (rest.length() > 0) {
        pipe.put(rest);
      }
    }
    pipe.finish();
  }

  private String name(Field field) {
    Columns columns = source.columns();
    return columns == null ? field.word() : columns.name(field);
  }

  /** The warning about names that mix alphabets; null if there are none. */
  public @Nullable FileProblem mixedScripts() {
    return mixedScripts.warning(source);
  }

  /** Whether any row has a barcode. */
  public boolean coded() {
    return coded;
  }

  /** Whether any size is not a whole number. */
  public boolean textSizes() {
    return textSizes;
  }

  /** Whether any row has a color picture. */
  public boolean images() {
    return images;
  }

  /** Whether any row has a value for a field of a product. */
  public boolean hasProductFields() {
    return fields || images;
  }

  /** The number of products; one whose rows are not consecutive counts several times. */
  public int runs() {
    return run.number;
  }

  public Removed removed() {
    return removals.removed();
  }

  @Override
  public void close() {
    pipe.close();
  }
}
