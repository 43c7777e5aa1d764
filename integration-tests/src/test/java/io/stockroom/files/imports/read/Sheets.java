package io.stockroom.files.imports.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;

/** Makes workbooks for tests. */
public final class Sheets {
  private Sheets() {}

  /** One sheet for each list of rows; a text that begins with {@code f=} becomes a formula. */
  @SafeVarargs
  public static byte[] of(List<? extends List<?>>... sheets) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Workbook book = new Workbook(bytes, "test", "1.0")) {
      for (int s = 0; s < sheets.length; s++) {
        Worksheet sheet = book.newWorksheet("S" + s);
        for (int r = 0; r < sheets[s].size(); r++) {
          List<?> row = sheets[s].get(r);
          for (int c = 0; c < row.size(); c++) {
            put(sheet, r, c, row.get(c));
          }
        }
        sheet.finish();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void put(Worksheet sheet, int row, int column, Object value) {
    switch (value) {
      case Number number -> sheet.value(row, column, number);
      case String text when text.startsWith("f=") -> sheet.formula(row, column, text.substring(2));
      default -> sheet.value(row, column, value.toString());
    }
  }

  /** A workbook with one sheet of these rows, given as XML. */
  public static byte[] raw(String rows) {
    return archive(
        "xl/worksheets/sheet1.xml", "<worksheet><sheetData>" + rows + "</sheetData></worksheet>");
  }

  /** The texts of all cells of a workbook. */
  public static List<String> texts(byte[] workbook) {
    List<String> texts = new ArrayList<>();
    try (XlsxRows rows = new XlsxRows(() -> new ByteArrayInputStream(workbook), "")) {
      for (RowCells cells = rows.next(); cells != null; cells = rows.next()) {
        for (int i = 0; i < cells.count(); i++) {
          texts.add(cells.value(i));
        }
      }
      return texts;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (FileRejection refused) {
      throw new IllegalStateException(refused);
    }
  }

  /** An archive with one file. */
  public static byte[] archive(String name, String content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(content.getBytes(UTF_8));
      zip.closeEntry();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** An archive whose one sheet expands to this many megabytes. */
  public static byte[] bomb(int megabytes) {
    return spaces(megabytes, "</sheetData></worksheet>");
  }

  /** A workbook that is truncated after a megabyte of spaces. */
  public static byte[] brokenOff() {
    return spaces(1, "");
  }

  private static byte[] spaces(int megabytes, String end) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] spaces = new byte[1 << 20];
    Arrays.fill(spaces, (byte) ' ');
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("xl/worksheets/sheet1.xml"));
      zip.write("<worksheet><sheetData>".getBytes(UTF_8));
      for (int i = 0; i < megabytes; i++) {
        zip.write(spaces);
      }
      zip.write(end.getBytes(UTF_8));
      zip.closeEntry();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
