package io.stockroom.files.imports.read;

import io.stockroom.core.catalogue.EmbeddedPictures;
import io.stockroom.files.imports.read.Columns.Column;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads products and stock from the rows of a table, by the meaning of its columns. */
public final class TableSource implements RowSource {
  /** How many rows above the header may hold a title or remarks. */
  static final int MAX_ROWS_ABOVE = 20;

  /** Opens the table once more. */
  interface Again {
    TableRows open() throws IOException, FileRejection;
  }

  /** A column that is not read, and what its cells hold. */
  private static final class Unread {
    private final Column column;
    private @Nullable String first;
    private boolean varies;

    Unread(Column column) {
      this.column = column;
    }

    void look(String value) {
      if (first == null) {
        first = value;
      } else if (!varies) {
        varies = !value.equals(first);
      }
    }

    boolean isMinor() {
      return !varies;
    }
  }

  private final TableRows table;
  private final ProductRow row;
  private final List<String> header;
  private final int headerRow;
  private final Columns columns;
  private final @Nullable Shop shop;
  private final Map<String, String> asked;
  private final CellReader reader;
  private final ProductCells product;
  private final StockCells stock;
  private final List<String> skippedSheets = new ArrayList<>();
  private final List<Unread> unread;
  private final Notes notes;
  private @Nullable String aboveArtNo;
  private String sheet;
  private boolean skipSheet;
  private boolean headerless;
  private int rowsOfSheet;
  private @Nullable RowCells pending;
  private @Nullable RowCells current;
  private int rows;
  private int hiddenRows;

  private TableSource(
      TableRows table, List<String> header, Columns columns, int headerRow, ImportOptions options) {
    this.table = table;
    this.header = header;
    this.columns = columns;
    this.shop = columns.shop();
    this.notes = columns.notes();
    this.asked = options.columns();
    this.headerRow = headerRow;
    this.sheet = table.sheet(headerRow);
    boolean foreign = shop != null && !shop.keepsOtherColumns();
    this.row = new ProductRow(options.choices(), foreign, notes);
    this.reader = new CellReader(table, columns, row);
    this.product = new ProductCells(reader, columns, row);
    this.stock = new StockCells(reader, columns, row);
    this.unread = columns.ignored().stream().map(Unread::new).toList();
  }

  /** Finds the header: the first row, of any sheet, with a column for the item number. */
  static TableSource open(
      TableRows table,
      String name,
      ImportOptions options,
      Map<String, String> remembered,
      Again again)
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
        Columns columns = Columns.of(header, options.columns(), remembered);
        columns.require(Field.ART_NO, header);
        TableSource source = new TableSource(table, header, columns, cells.row(), options);
        source.prepare(again);
        return source;
      } catch (FileRejection unfit) {
        nearest = known > recognised ? unfit : nearest;
        recognised = Math.max(known, recognised);
      }
    }
    throw nearest == null ? FileRejection.of(ErrorCode.FILE_EMPTY, name) : nearest;
  }

  private void prepare(Again again) throws IOException, FileRejection {
    if (shop != null && shop.needsPreparation()) {
      try (TableRows all = again.open()) {
        shop.prepare(all);
      }
    }
  }

  /** The columns get the letters that spreadsheets show, and need an explicit mapping. */
  private static TableSource openWithoutHeader(TableRows table, String name, ImportOptions options)
      throws IOException, FileRejection {
    RowCells first = table.next();
    if (first == null) {
      throw FileRejection.of(ErrorCode.FILE_EMPTY, name);
    }
    List<String> header = Columns.letters(first.count());
    Columns columns = Columns.of(header, options.columns(), Map.of());
    columns.require(Field.ART_NO, header);
    TableSource source = new TableSource(table, header, columns, first.row() - 1, options);
    source.sheet = table.sheet(first.row());
    source.pending = first;
    source.headerless = true;
    return source;
  }

  @Override
  public @Nullable ProductRow next() throws IOException, FileRejection {
    while (true) {
      if (current != null && shop != null && shop.readMore(current)) {
        read(current);
        return row;
      }
      RowCells cells = pending == null ? table.next() : pending;
      pending = null;
      current = null;
      if (cells == null) {
        requireAsked();
        return null;
      }
      if (!table.sheet(cells.row()).equals(sheet)) {
        beginSheet(cells);
      }
      if (skipSheet) {
        seekHeader(cells);
        continue;
      }
      rows++;
      hiddenRows += cells.isHidden() ? 1 : 0;
      if (isProduct(cells)) {
        read(cells);
        return row;
      }
    }
  }

  /** A mapping may also name an option, which only the rows of a file name. */
  private void requireAsked() throws FileRejection {
    for (String name : asked.keySet()) {
      if (!columns.has(name) && (shop == null || !shop.options.has(name))) {
        throw FileRejection.of(ErrorCode.COLUMN_ABSENT, name, String.join(", ", header));
      }
    }
  }

  /** Reads another sheet only below the same header. */
  private void beginSheet(RowCells cells) {
    sheet = table.sheet(cells.row());
    skipSheet = !headerless;
    rowsOfSheet = 0;
    if (skipSheet) {
      skippedSheets.add(shownSheet());
    }
  }

  private void seekHeader(RowCells cells) {
    if (++rowsOfSheet <= MAX_ROWS_ABOVE && texts(cells).equals(header)) {
      skipSheet = false;
      skippedSheets.remove(shownSheet());
    }
  }

  private String shownSheet() {
    return sheet.substring(0, sheet.length() - 1);
  }

  /** Lets the rules of another system read the row first. */
  private boolean isProduct(RowCells cells) {
    for (Unread each : unread) {
      String value = cells.value(each.column.index());
      if (!value.isEmpty()) {
        each.look(value);
      }
    }
    boolean early =
        cells.count() < header.size() && !table.mayEndEarly() && (shop == null || !row.foreign);
    if (cells.rowProblem() == null && (early || cells.filledFrom(header.size()))) {
      cells.reject(
          FileProblem.of(cells.row(), "", "", ErrorCode.ROW_CELLS, cells.count(), header.size()));
    }
    if (shop == null || cells.rowProblem() != null) {
      return true;
    }
    current = cells;
    return shop.read(cells);
  }

  private void read(RowCells cells) {
    row.start(cells.row());
    FileProblem rowProblem = cells.rowProblem();
    if (rowProblem != null) {
      row.problems.add(rowProblem);
      String said = reader.text(cells, Field.ART_NO);
      row.artNo = rowProblem.code() == ErrorCode.ROW_CELLS ? known(said) : null;
      aboveArtNo = null;
      return;
    }
    String artNo = FieldTexts.fitting(row, artNo(cells), FieldTexts.ART_NO_CHARACTERS);
    if (artNo.isEmpty()) {
      reader.missing(Field.ART_NO);
      aboveArtNo = null;
      return;
    }
    boolean same = artNo.equals(aboveArtNo);
    row.artNo = same ? aboveArtNo : known(artNo);
    if (!row.problems.isEmpty()) {
      aboveArtNo = null;
      return;
    }
    product.read(cells, same);
    aboveArtNo = row.artNo;
    stock.read(cells);
  }

  private String artNo(RowCells cells) {
    return reader.text(cells, Field.ART_NO);
  }

  private @Nullable String known(String artNo) {
    return artNo.isEmpty()
        ? null
        : row.check(
            columns.name(Field.ART_NO),
            artNo,
            () -> Text.identifier(artNo, FieldTexts.ART_NO_CHARACTERS));
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
  public Ignored ignored() {
    List<String> names = new ArrayList<>(skippedSheets);
    unread.stream()
        .sorted(Comparator.comparing(Unread::isMinor))
        .forEach(each -> names.add(each.column.name()));
    return new Ignored(names, (int) unread.stream().filter(Unread::isMinor).count());
  }

  @Override
  public List<Option> options() {
    return shop == null
        ? List.of()
        : shop.options.seen().stream()
            .map(
                each ->
                    new Option(
                        each.name(),
                        each.field() == null ? null : each.field().word(),
                        List.copyOf(each.examples())))
            .toList();
  }

  @Override
  public boolean isForeign() {
    return row.foreign;
  }

  @Override
  public Notes notes() {
    return notes;
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
