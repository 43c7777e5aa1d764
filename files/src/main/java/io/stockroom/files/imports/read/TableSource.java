package io.stockroom.files.imports.read;

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
  private final TableRows table;
  private final ProductRow row = new ProductRow();
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
  private int rows;

  private TableSource(TableRows table, List<String> header, Columns columns, int headerRow) {
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
      TableRows table, String name, Map<String, String> asked, Map<String, String> remembered)
      throws IOException, FileRejection {
    FileRejection first = null;
    String sheet = "";
    for (Cells cells = table.next(); cells != null; cells = table.next()) {
      if (first != null && table.sheet(cells.row()).equals(sheet)) {
        continue;
      }
      sheet = table.sheet(cells.row());
      List<String> header = texts(cells);
      try {
        Columns columns = Columns.of(header, asked, remembered);
        columns.require(Field.ART_NO, header);
        if (columns.has(Field.QUANTITY) || columns.wide()) {
          columns.require(Field.COLOR, header);
        }
        if (columns.has(Field.QUANTITY)) {
          columns.require(Field.SIZE, header);
        }
        return new TableSource(table, header, columns, cells.row());
      } catch (FileRejection unfit) {
        first = first == null ? unfit : first;
        if (!table.mayEndEarly()) {
          break;
        }
      }
    }
    throw first == null ? FileRejection.of(ErrorCode.FILE_EMPTY, name) : first;
  }

  @Override
  public @Nullable ProductRow next() throws IOException, FileRejection {
    for (Cells cells = table.next(); cells != null; cells = table.next()) {
      if (!table.sheet(cells.row()).equals(sheet)) {
        beginSheet(cells);
      } else if (!skipSheet) {
        rows++;
        read(cells);
        return row;
      }
    }
    return null;
  }

  /** Reads another sheet only if it has the same header. */
  private void beginSheet(Cells cells) {
    sheet = table.sheet(cells.row());
    skipSheet = !texts(cells).equals(header);
    if (skipSheet) {
      ignored.add(sheet.substring(0, sheet.length() - 1));
    }
  }

  private void read(Cells cells) {
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
  private boolean saysNothingNew(Cells cells, String artNo) {
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

  private void readProduct(Cells cells) {
    ProductValues values = new ProductValues();
    List<String> imgs = new ArrayList<>();
    for (Column column : productColumns) {
      String text = reader.text(cells, column);
      Field field = column.field();
      // title and price are never empty, so spaces count as empty, too
      boolean never = field == Field.TITLE || field == Field.PRICE;
      boolean blank = never ? text.isBlank() : text.isEmpty();
      if (!blank && field != null) {
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
    values.imgs = imgs.isEmpty() ? null : imgs;
    FieldTexts.sameLength(
        row,
        columns.name(Field.CATEGORY_NAME_TREE),
        values.categoryIdTree,
        values.categoryNameTree);
    row.values = values;
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
        values.attributeNames = new ArrayList<>();
        values.attributeValues = new ArrayList<>();
        FieldTexts.attributes(row, name, text, values.attributeNames, values.attributeValues);
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

  private static List<String> texts(Cells cells) {
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

  public int headerRow() {
    return headerRow;
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
