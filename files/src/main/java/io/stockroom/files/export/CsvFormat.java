package io.stockroom.files.export;

import io.stockroom.protocol.Language;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** CSV as spreadsheets expect it: UTF-8 with a byte order mark, commas, CR LF line ends. */
final class CsvFormat implements TableWriter.Format {
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final byte[] END = {'\r', '\n'};
  private static final byte[] NO_PRODUCT_FIELDS = Bytes.ascii(",,,,,,,,");

  private final Bytes out;

  CsvFormat(OutputStream to, Language language) {
    out = new Bytes(to);
    String header = String.join(",", ExportColumns.names(language));
    out.put(BYTE_ORDER_MARK).put(header.getBytes(StandardCharsets.UTF_8)).put(END);
  }

  @Override
  public void row(TableRow row) throws IOException {
    ExportedProduct product = row.product();
    cell(product.artNo());
    if (row.isFirstOfProduct) {
      next(product.title());
      next(product.description());
      next(product.price());
      next(product.categoryIdTree());
      next(product.categoryNameTree());
      next(ExportColumns.imgs(product));
      next(product.video());
      next(ExportColumns.attributes(product));
    } else {
      out.put(NO_PRODUCT_FIELDS);
    }
    next(row.color);
    next(row.image);
    out.put(',');
    if (row.size.length > 0) {
      cell(row.size);
      out.put(',').number(row.quantity).put(',');
      cell(row.barCodeBytes, row.barCodeOffset, row.barCodeLength);
    } else {
      out.put(',').put(',');
    }
    out.put(END);
    out.endRow();
  }

  @Override
  public void finish() throws IOException {
    out.handOn();
  }

  private void next(byte[] text) {
    out.put(',');
    cell(text);
  }

  private void cell(byte[] text) {
    cell(text, 0, text.length);
  }

  private void cell(byte[] bytes, int offset, int length) {
    boolean isFormula = looksLikeFormula(bytes, offset, length);
    if (!needsQuotes(bytes, offset, length)) {
      if (isFormula) {
        out.put('\'');
      }
      out.put(bytes, offset, length);
      return;
    }
    out.put('"');
    if (isFormula) {
      out.put('\'');
    }
    for (int i = offset; i < offset + length; i++) {
      if (bytes[i] == '"') {
        out.put('"');
      }
      out.put(bytes[i]);
    }
    out.put('"');
  }

  /**
   * Whether a spreadsheet would run the text as a formula. One more apostrophe in front makes it
   * text, and imports remove it. Texts that begin with apostrophes before such a character get one
   * more too, so that imports remove the right one.
   */
  private static boolean looksLikeFormula(byte[] bytes, int offset, int length) {
    int at = offset;
    int end = offset + length;
    while (at < end && bytes[at] == '\'') {
      at++;
    }
    return at < end
        && switch (bytes[at]) {
          case '=', '+', '-', '@', '\t', '\r', '\n' -> true;
          case (byte) 0xEF -> isFullWidth(bytes, at, end);
          default -> false;
        };
  }

  /** ＝, ＋, － and ＠ in UTF-8. */
  private static boolean isFullWidth(byte[] bytes, int at, int end) {
    return at + 2 < end
        && bytes[at + 1] == (byte) 0xBC
        && switch (bytes[at + 2]) {
          case (byte) 0x9D, (byte) 0x8B, (byte) 0x8D, (byte) 0xA0 -> true;
          default -> false;
        };
  }

  private static boolean needsQuotes(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      byte each = bytes[i];
      if (each <= ',' && (each == ',' || each == '"' || each == '\r' || each == '\n')) {
        return true;
      }
    }
    return false;
  }
}
