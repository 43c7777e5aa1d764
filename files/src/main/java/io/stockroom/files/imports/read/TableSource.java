package io.stockroom.files.imports.read;

import io.stockroom.core.catalogue.EmbeddedPictures;
import io.stockroom.files.imports.read.Columns.Column;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads products and stock from the rows of a table, by the meaning of its columns. */
public final class TableSource implements RowSource {
  /** How many rows above the header may hold a title or remarks. */
  static final int MAX_ROWS_ABOVE = 20;

  private static final String CLEARS = "-";

  private final TableRows table;
  private final ProductRow row;
  private final List<String> header;
  private final int headerRow;
  private final Columns columns;
  private final List<Column> productColumns;
  private final CellReader reader;
  private final StockCells stock;
  private final String[] above;
  private final List<String> ignored;
  private @Nullable String aboveArtNo;
  private String sheet = "";
  private boolean skipSheet;
  private boolean headerless;
  private int rowsOfSheet;
  private @Nullable RowCells pending;
  private int rows;
  private int hiddenRows;

  private TableSource(
      TableRows table, List<String> header, Columns columns, int headerRow, ImportMode mode) {
    this.row = new ProductRow(mode);
    this.table = table;
    this.header = header;
    this.columns = columns;
    this.headerRow = headerRow;
    this.sheet = table.sheet(headerRow);
    this.ignored = new ArrayList<>(columns.ignored());
    this.productColumns =
        columns.all().stream()
            .filter(column -> column.field() != null && isProductField(column.field()))
            .toList();
    this.reader = new CellReader(table, columns, row);
    this.stock = new StockCells(reader, columns, row);
    this.above = new String[header.size()];
  }

  /** Finds the header: the first row, of any sheet, with a column for the item number. */
  public static TableSource open(
      TableRows table, String name, ImportOptions options, Map<String, String> remembered)
      throws IOException, FileRejection {
    if (options.headerless()) {
      return openWithoutHeader(table, name, options);
    }
    FileRejection nearest = null;
    int recognised = -1;
    int tried = 0;
    String sheet = "";
    for (RowCells cells = table.next(); cells != null; cells = table.next()) {
      tried = table.sheet(cells.row()).equals(sheet) ? tried + 1 : 1;
      sheet = table.sheet(cells.row());
      if (tried > MAX_ROWS_ABOVE) {
        if (!table.mayEndEarly()) {
          break;
        }
        continue;
      }
      FileProblem problem = cells.rowProblem();
      if (problem != null && problem.code() == ErrorCode.COLUMNS_TOO_MANY) {
        throw new FileRejection(problem);
      }
      List<String> header = texts(cells);
      int known = Columns.recognised(header);
      // one known name in a row below the first may be data
      if (nearest != null && known < 2) {
        continue;
      }
      try {
        Columns columns = columns(header, options.columns(), remembered);
        return new TableSource(table, header, columns, cells.row(), options.mode());
      } catch (FileRejection unfit) {
        nearest = known > recognised ? unfit : nearest;
        recognised = Math.max(known, recognised);
      }
    }
    throw nearest == null ? FileRejection.of(ErrorCode.FILE_EMPTY, name) : nearest;
  }

  /** The columns get the letters that spreadsheets show, and need an explicit mapping. */
  private static TableSource openWithoutHeader(TableRows table, String name, ImportOptions options)
      throws IOException, FileRejection {
    RowCells first = table.next();
    if (first == null) {
      throw FileRejection.of(ErrorCode.FILE_EMPTY, name);
    }
    List<String> header = Columns.letters(first.count());
    Columns columns = columns(header, options.columns(), Map.of());
    TableSource source = new TableSource(table, header, columns, first.row() - 1, options.mode());
    source.sheet = table.sheet(first.row());
    source.pending = first;
    source.headerless = true;
    return source;
  }

  private static Columns columns(
      List<String> header, Map<String, String> asked, Map<String, String> remembered)
      throws FileRejection {
    Columns columns = Columns.of(header, asked, remembered);
    columns.require(Field.ART_NO, header);
    if (columns.has(Field.QUANTITY) || columns.wide()) {
      columns.require(Field.COLOR, header);
    }
    if (columns.has(Field.QUANTITY)) {
      columns.require(Field.SIZE, header);
    }
    return columns;
  }

  @Override
  public @Nullable ProductRow next() throws IOException, FileRejection {
    while (true) {
      RowCells cells = pending == null ? table.next() : pending;
      pending = null;
      if (cells == null) {
        return null;
      }
      if (!table.sheet(cells.row()).equals(sheet)) {
        beginSheet(cells);
      }
      if (skipSheet) {
        seekHeader(cells);
      } else {
        rows++;
        hiddenRows += cells.isHidden() ? 1 : 0;
        read(cells);
        return row;
      }
    }
  }

  /** Reads another sheet only below the same header. */
  private void beginSheet(RowCells cells) {
    sheet = table.sheet(cells.row());
    skipSheet = !headerless;
    rowsOfSheet = 0;
    if (skipSheet) {
      ignored.add(shownSheet());
    }
  }

  private void seekHeader(RowCells cells) {
    if (++rowsOfSheet <= MAX_ROWS_ABOVE && texts(cells).equals(header)) {
      skipSheet = false;
      ignored.remove(shownSheet());
    }
  }

  private String shownSheet() {
    return sheet.substring(0, sheet.length() - 1);
  }

  private void read(RowCells cells) {
    row.start(cells.row());
    FileProblem rowProblem = cells.rowProblem();
    if (rowProblem != null) {
      row.problems.add(rowProblem);
      aboveArtNo = null;
      return;
    }
    boolean early = cells.count() < header.size() && !table.mayEndEarly();
    if (early || cells.filledFrom(header.size())) {
      row.problem("", "", ErrorCode.ROW_CELLS, cells.count(), header.size());
    }
    String artNo = reader.text(cells, Field.ART_NO);
    if (artNo.isEmpty()) {
      reader.missing(Field.ART_NO);
      aboveArtNo = null;
      return;
    }
    if (artNo.equals(aboveArtNo)) {
      row.artNo = aboveArtNo;
    } else {
      String column = columns.name(Field.ART_NO);
      row.artNo =
          row.check(column, artNo, () -> Text.identifier(artNo, FieldTexts.ART_NO_CHARACTERS));
    }
    if (!row.problems.isEmpty()) {
      aboveArtNo = null;
      return;
    }
    if (!saysNothingNew(cells, artNo)) {
      readProduct(cells);
    }
    aboveArtNo = row.artNo;
    stock.read(cells);
  }

  /** Whether all product cells are empty or repeat the row above of the same product. */
  private boolean saysNothingNew(RowCells cells, String artNo) {
    boolean same = artNo.equals(aboveArtNo) && !cells.hasProblems();
    if (!same) {
      Arrays.fill(above, null);
    }
    for (Column column : productColumns) {
      String value = cells.value(column.index());
      if (!value.isEmpty() && !value.equals(above[column.index()])) {
        same = false;
        above[column.index()] = value;
      }
    }
    return same;
  }

  private void readProduct(RowCells cells) {
    ProductValues values = new ProductValues();
    List<String> imgs = new ArrayList<>();
    for (Column column : productColumns) {
      String text = reader.text(cells, column);
      Field field = column.field();
      // title and price are never empty, so spaces count as empty, too
      boolean never = field == Field.TITLE || field == Field.PRICE;
      boolean blank = never ? text.isBlank() : text.isEmpty();
      if (!never && text.strip().equals(CLEARS)) {
        clear(values, field);
      } else if (!blank && field != null) {
        readProductField(values, imgs, column.name(), field, text);
      }
    }
    if (imgs.size() > FieldTexts.MAX_IMAGES) {
      row.problem(
          columns.name(Field.IMGS),
          "",
          ErrorCode.LIST_TOO_LONG,
          imgs.size(),
          FieldTexts.MAX_IMAGES);
    }
    values.imgs = imgs.isEmpty() ? values.imgs : imgs;
    FieldTexts.sameLength(
        row,
        columns.name(Field.CATEGORY_NAME_TREE),
        values.categoryIdTree,
        values.categoryNameTree);
    row.values = values;
  }

  /** An empty cell changes nothing, so a dash clears a field. */
  private static void clear(ProductValues values, @Nullable Field field) {
    if (field == null) {
      return;
    }
    switch (field) {
      case DESCRIPTION -> values.description = "";
      case CATEGORY_ID_TREE -> values.categoryIdTree = "";
      case CATEGORY_NAME_TREE -> values.categoryNameTree = "";
      case IMGS -> values.imgs = List.of();
      case VIDEO -> values.video = "";
      case ATTRIBUTES -> {
        values.attributeNames = List.of();
        values.attributeValues = List.of();
      }
      case TITLE, PRICE, ART_NO, COLOR, COLOR_IMAGE, SIZE, QUANTITY, BAR_CODE -> {}
    }
  }

  private void readProductField(
      ProductValues values, List<String> imgs, String name, Field field, String text) {
    switch (field) {
      case TITLE ->
          values.title = row.check(name, text, () -> Text.name(text, FieldTexts.TITLE_CHARACTERS));
      case DESCRIPTION -> values.description = FieldTexts.description(row, name, text);
      case PRICE -> values.cents = FieldTexts.cents(row, name, text.strip());
      case CATEGORY_ID_TREE ->
          values.categoryIdTree =
              row.check(name, text, () -> Text.line(text, FieldTexts.CATEGORY_CHARACTERS));
      case CATEGORY_NAME_TREE ->
          values.categoryNameTree =
              row.check(name, text, () -> Text.line(text, FieldTexts.CATEGORY_CHARACTERS));
      case IMGS -> FieldTexts.addresses(row, name, text, imgs);
      case VIDEO -> values.video = FieldTexts.address(row, name, text.strip());
      case ATTRIBUTES -> {
        List<String> names = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        FieldTexts.attributes(row, name, text, names, texts);
        values.attributeNames = names;
        values.attributeValues = texts;
      }
      case ART_NO, COLOR, COLOR_IMAGE, SIZE, QUANTITY, BAR_CODE -> {}
    }
  }

  private static boolean isProductField(Field field) {
    return switch (field) {
      case TITLE,
          DESCRIPTION,
          PRICE,
          CATEGORY_ID_TREE,
          CATEGORY_NAME_TREE,
          IMGS,
          VIDEO,
          ATTRIBUTES ->
          true;
      case ART_NO, COLOR, COLOR_IMAGE, SIZE, QUANTITY, BAR_CODE -> false;
    };
  }

  private static List<String> texts(RowCells cells) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < cells.count(); i++) {
      texts.add(cells.value(i).strip());
    }
    while (!texts.isEmpty() && texts.getLast().isEmpty()) {
      texts.removeLast();
    }
    return texts;
  }

  public List<String> header() {
    return header;
  }

  /** The row of the header; the row before the first if the file has none. */
  public int headerRow() {
    return headerRow;
  }

  @Override
  public void store(EmbeddedPictures pictures) {
    row.pictures = pictures;
  }

  @Override
  public Columns columns() {
    return columns;
  }

  @Override
  public boolean rowsAreProducts() {
    return false;
  }

  @Override
  public List<String> ignored() {
    return ignored;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public int hiddenRows() {
    return hiddenRows;
  }

  @Override
  public String sheet(int number) {
    return table.sheet(number);
  }

  @Override
  public int rowsOfASheet() {
    return table.rowsOfASheet();
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
