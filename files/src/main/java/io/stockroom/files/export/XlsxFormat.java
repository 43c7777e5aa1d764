package io.stockroom.files.export;

import io.stockroom.protocol.Language;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes XLSX row by row. Texts are always text cells, so formulas never run, and item numbers and
 * barcodes stay text when they are edited. When a sheet is full, the next one begins.
 */
final class XlsxFormat implements TableWriter.Format {
  static final int MAX_ROWS = 1_048_576;

  /** Well below 4 GiB, above which many programs misread a zip entry. */
  private static final long MAX_BYTES = 2L << 30;

  private static final byte[] ROW = Bytes.ascii("<row r=\"");
  private static final byte[] END_OF_TAG = Bytes.ascii("\">");
  private static final byte[] END_OF_ROW = Bytes.ascii("</row>");
  private static final byte[] CELL = Bytes.ascii("<c r=\"");
  private static final byte[] PLAIN_TEXT =
      Bytes.ascii("\" t=\"inlineStr\"><is><t xml:space=\"preserve\">");
  private static final byte[] STYLED_TEXT =
      Bytes.ascii("\" s=\"" + XlsxParts.TEXT + "\" t=\"inlineStr\"><is><t xml:space=\"preserve\">");
  private static final byte[] HEADING =
      Bytes.ascii("\" s=\"" + XlsxParts.BOLD + "\" t=\"inlineStr\"><is><t>");
  private static final byte[] END_OF_TEXT = Bytes.ascii("</t></is></c>");
  private static final byte[] PLAIN_NUMBER = Bytes.ascii("\"><v>");
  private static final byte[] STYLED_NUMBER = Bytes.ascii("\" s=\"" + XlsxParts.MONEY + "\"><v>");
  private static final byte[] END_OF_NUMBER = Bytes.ascii("</v></c>");

  private final XlsxParts parts;
  private final int maxRows;
  private final List<String> header;
  private Bytes out;
  private int row;

  XlsxFormat(OutputStream to, Language language) throws IOException {
    this(to, language, MAX_ROWS);
  }

  XlsxFormat(OutputStream to, Language language, int maxRows) throws IOException {
    this.header = ExportColumns.names(language);
    this.parts = new XlsxParts(to);
    this.maxRows = maxRows;
    this.out = beginSheet();
  }

  @Override
  public void row(TableRow given) throws IOException {
    if (row == maxRows || out.count() > MAX_BYTES) {
      endSheet();
      out = beginSheet();
    }
    beginRow();
    ExportedProduct product = given.product();
    text('A', STYLED_TEXT, product.artNo());
    if (given.isFirstOfProduct) {
      text('B', PLAIN_TEXT, product.title());
      text('C', PLAIN_TEXT, product.description());
      begin('D', STYLED_NUMBER).put(product.price()).put(END_OF_NUMBER);
      text('E', STYLED_TEXT, product.categoryIdTree());
      text('F', PLAIN_TEXT, product.categoryNameTree());
      text('G', PLAIN_TEXT, ExportColumns.imgs(product));
      text('H', PLAIN_TEXT, product.video());
      text('I', PLAIN_TEXT, ExportColumns.attributes(product));
    }
    text('J', STYLED_TEXT, given.color);
    text('K', PLAIN_TEXT, given.image);
    if (given.size.length > 0) {
      if (Bytes.isWholeNumber(given.size)) {
        begin('L', PLAIN_NUMBER).put(given.size).put(END_OF_NUMBER);
      } else {
        text('L', STYLED_TEXT, given.size);
      }
      begin('M', PLAIN_NUMBER).number(given.quantity).put(END_OF_NUMBER);
      if (given.barCodeLength > 0) {
        var _ = begin('N', STYLED_TEXT);
        XlsxText.put(out, given.barCodeBytes, given.barCodeOffset, given.barCodeLength);
        out.put(END_OF_TEXT);
      }
    }
    endRow();
  }

  @Override
  public void finish() throws IOException {
    endSheet();
    parts.finish();
  }

  private Bytes beginSheet() throws IOException {
    Bytes sheet = parts.beginSheet();
    out = sheet;
    row = 0;
    beginRow();
    for (int i = 0; i < header.size(); i++) {
      byte[] name = header.get(i).getBytes(StandardCharsets.UTF_8);
      begin('A' + i, HEADING).put(name).put(END_OF_TEXT);
    }
    endRow();
    return sheet;
  }

  private void endSheet() throws IOException {
    parts.endSheet(out);
  }

  private void beginRow() {
    row++;
    out.put(ROW).number(row).put(END_OF_TAG);
  }

  private void endRow() throws IOException {
    out.put(END_OF_ROW);
    out.endRow();
  }

  private void text(int column, byte[] kind, byte[] text) {
    if (text.length > 0) {
      var _ = begin(column, kind);
      XlsxText.put(out, text, 0, text.length);
      out.put(END_OF_TEXT);
    }
  }

  private Bytes begin(int column, byte[] kind) {
    return out.put(CELL).put(column).number(row).put(kind);
  }
}
