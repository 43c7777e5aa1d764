package io.stockroom.files.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.StringArrayHandler;
import io.stockroom.files.imports.read.ImportFile;
import io.stockroom.files.imports.read.ImportOptions;
import io.stockroom.files.imports.read.Progress;
import io.stockroom.files.imports.read.RowCells;
import io.stockroom.files.imports.read.StoredFile;
import io.stockroom.files.imports.read.TableRows;
import io.stockroom.protocol.Language;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.dhatim.fastexcel.reader.Row;
import org.dhatim.fastexcel.reader.Sheet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares our file readers and writers with libraries, in speed and memory. It prints figures and
 * is not part of the test suite: docs/decisions/0019 explains how to run it.
 */
class FileLibraryComparison {
  private static final int ROWS = Integer.getInteger("rows", 200_000);
  private static final int ROUNDS = 5;
  private static final int STYLE_FLUSH = 500;
  private static final List<Integer> HEAPS_MB =
      List.of(16, 24, 32, 48, 64, 96, 128, 256, 512, 1024);

  @TempDir Path folder;

  /** Writes the same rows with the library that writes the rejected rows. */
  private static final class FastexcelFormat implements TableWriter.Format {
    private final Workbook workbook;
    private final Worksheet sheet;
    private int row;

    FastexcelFormat(OutputStream to) {
      workbook = new Workbook(to, "Stockroom", "1.0");
      workbook.setCompressionLevel(1);
      sheet = workbook.newWorksheet("Products");
      for (int i = 0; i < ExportColumns.NAMES.size(); i++) {
        sheet.inlineString(0, i, ExportColumns.NAMES.get(i));
        sheet.style(0, i).bold().set();
      }
    }

    @Override
    public void row(TableRow given) throws IOException {
      row++;
      ExportedProduct product = given.product();
      styled(0, product.artNo());
      if (given.isFirstOfProduct) {
        text(1, product.title());
        text(2, product.description());
        sheet.value(row, 3, new BigDecimal(new String(product.price(), UTF_8)));
        sheet.style(row, 3).format("0.00").set();
        styled(4, product.categoryIdTree());
        text(5, product.categoryNameTree());
        text(6, ExportColumns.imgs(product));
        text(7, product.video());
        text(8, ExportColumns.attributes(product));
      }
      styled(9, given.color);
      text(10, given.image);
      sheet.value(row, 11, Integer.parseInt(new String(given.size, UTF_8)));
      sheet.value(row, 12, given.quantity);
      styled(
          13,
          Arrays.copyOfRange(
              given.barCodeBytes, given.barCodeOffset, given.barCodeOffset + given.barCodeLength));
      if (row % STYLE_FLUSH == 0) {
        sheet.flush();
      }
    }

    private void text(int column, byte[] text) {
      if (text.length > 0) {
        sheet.inlineString(row, column, new String(text, UTF_8));
      }
    }

    private void styled(int column, byte[] text) {
      if (text.length > 0) {
        text(column, text);
        sheet.style(row, column).format("@").set();
      }
    }

    @Override
    public void finish() throws IOException {
      sheet.finish();
      workbook.finish();
    }
  }

  @Test
  void comparesReadingCsv() throws Exception {
    byte[] file = export(ExportFormat.CSV);

    compare(
        "read CSV, FastCSV / ours",
        () -> ours("p.csv", file),
        () -> {
          try (CsvReader<String[]> reader = fastCsv(file)) {
            return (int) reader.stream().count();
          }
        });
  }

  @Test
  void comparesReadingWorkbooks() throws Exception {
    byte[] inline = export(ExportFormat.XLSX);
    byte[] shared = sharedStrings(ROWS / 4);

    compare(
        "read XLSX, fastexcel-reader / ours",
        () -> ours("p.xlsx", inline),
        () -> fastexcel(inline));
    compare(
        "read XLSX with shared strings, fastexcel-reader / ours",
        () -> ours("p.xlsx", shared),
        () -> fastexcel(shared));
  }

  @Test
  void comparesWritingWorkbooks() throws Exception {
    compare(
        "write XLSX, fastexcel / ours",
        () ->
            write(
                new TableWriter(new XlsxFormat(OutputStream.nullOutputStream(), Language.ENGLISH))),
        () -> write(new TableWriter(new FastexcelFormat(OutputStream.nullOutputStream()))));
  }

  @Test
  void findsTheSmallestHeapForReadingAWorkbook() throws Exception {
    Path file = folder.resolve("p.xlsx");
    Files.write(file, sharedStrings(ROWS));
    System.out.printf("workbook of %,d bytes, %,d distinct texts%n", Files.size(file), 4 * ROWS);

    for (String reader : List.of("ours", "fastexcel")) {
      System.out.printf("smallest heap, %s: %s%n", reader, smallestHeap(reader, file));
    }
  }

  /** Our reader rejects one row if a quote is never closed; shows what the library does. */
  @Test
  void showsWhatAnOpenQuoteDoes() throws Exception {
    String file = "artNo,title\nA1,\"open\nA2,b\n" + "A3,c\n".repeat(5_000_000);

    System.out.println("open quote, ours: rows " + ours("p.csv", file.getBytes(UTF_8)));
    try (CsvReader<String[]> reader = fastCsv(file.getBytes(UTF_8))) {
      System.out.println("open quote, FastCSV: rows " + reader.stream().count());
    } catch (RuntimeException failure) {
      System.out.println("open quote, FastCSV: " + failure + " " + failure.getCause());
    }
    try (CsvReader<String[]> reader = fastCsv("a,b\nc,\"open\nd,e\n".getBytes(UTF_8))) {
      reader.stream().forEach(row -> System.out.println("FastCSV: " + Arrays.toString(row)));
    }
  }

  private static String smallestHeap(String reader, Path file) throws Exception {
    for (int megabytes : HEAPS_MB) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx" + megabytes + "m",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  FileLibraryComparison.class.getName(),
                  reader,
                  file.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (process.waitFor() == 0) {
        return megabytes + " MB";
      }
    }
    return "more than " + HEAPS_MB.getLast() + " MB";
  }

  /** The child process: reads a workbook once, with the given heap. */
  public static void main(String[] arguments) throws Exception {
    byte[] file = Files.readAllBytes(Path.of(arguments[1]));
    int rows = arguments[0].equals("ours") ? ours("p.xlsx", file) : fastexcel(file);
    System.out.println(rows);
  }

  private static void compare(String what, Callable<Integer> ours, Callable<Integer> library)
      throws Exception {
    double best = Double.MAX_VALUE;
    double bestOfLibrary = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      best = Math.min(best, seconds(ours));
      bestOfLibrary = Math.min(bestOfLibrary, seconds(library));
    }
    assertThat(library.call()).isEqualTo(ours.call());
    System.out.printf(
        "%s: %.2f (%,.0f and %,.0f rows/s)%n",
        what, best / bestOfLibrary, ours.call() / bestOfLibrary, ours.call() / best);
  }

  private static double seconds(Callable<Integer> work) throws Exception {
    long begun = System.nanoTime();
    assertThat(work.call()).isPositive();
    return (System.nanoTime() - begun) / 1e9;
  }

  private static int ours(String name, byte[] file) throws Exception {
    int piece = 1 << 20;
    StoredFile stored =
        new StoredFile(
            1,
            name,
            file.length,
            "UTF-8",
            ImportOptions.NONE,
            number ->
                (long) number * piece >= file.length
                    ? null
                    : Arrays.copyOfRange(
                        file, number * piece, Math.min(file.length, (number + 1) * piece)));
    int rows = 0;
    try (TableRows table = ImportFile.of(stored, new Progress()).table()) {
      for (RowCells cells = table.next(); cells != null; cells = table.next()) {
        rows++;
      }
    }
    return rows;
  }

  private static CsvReader<String[]> fastCsv(byte[] file) {
    return CsvReader.builder()
        .allowExtraFields(true)
        .allowMissingFields(true)
        .allowExtraCharsAfterClosingQuote(true)
        .build(
            StringArrayHandler.builder().build(),
            new InputStreamReader(new ByteArrayInputStream(file), UTF_8));
  }

  private static int fastexcel(byte[] file) throws IOException {
    int rows = 0;
    try (ReadableWorkbook workbook = new ReadableWorkbook(new ByteArrayInputStream(file))) {
      for (Sheet sheet : workbook.getSheets().toList()) {
        try (Stream<Row> all = sheet.openStream()) {
          rows += (int) all.filter(row -> row.getCellText(0) != null).count();
        }
      }
    }
    return rows;
  }

  private static byte[] export(ExportFormat format) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    write(format.to(file, Language.ENGLISH));
    return file.toByteArray();
  }

  private static int write(ProductWriter writer) throws IOException {
    for (int i = 0; i < ROWS / 10; i++) {
      writer.begin(product(i));
      for (int entry = 0; entry < 10; entry++) {
        if (entry % 5 == 0) {
          writer.color(("深棕色 " + entry).getBytes(UTF_8), new byte[0]);
        }
        byte[] barCode = ("690" + (1_000_000_000L + i * 10L + entry)).getBytes(UTF_8);
        writer.entry(("" + (36 + entry % 5)).getBytes(UTF_8), i % 100, barCode, 0, barCode.length);
      }
      writer.end();
    }
    writer.finish();
    return ROWS;
  }

  private static ExportedProduct product(int number) {
    return new ExportedProduct(
        number,
        bytes("A-" + number),
        bytes("Winter boot, model " + number + " 冬季靴子"),
        bytes("<p>Warm & dry. 保暖防水, model " + number + "</p>"),
        bytes("159.00"),
        bytes("1,12,123"),
        bytes("Shoes,Boots,Winter"),
        new byte[][] {bytes("https://img.example/" + number + ".jpg")},
        bytes(""),
        new byte[][] {bytes("Material")},
        new byte[][] {bytes("Leather")},
        new byte[0][],
        new byte[0][]);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** Four distinct texts in each row, as Excel itself writes them. */
  private static byte[] sharedStrings(int rows) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Workbook book = new Workbook(bytes, "test", "1.0")) {
      Worksheet sheet = book.newWorksheet("Products");
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < 4; column++) {
          sheet.value(row, column, "Winter boot, model " + row + " of column " + column);
        }
        if (row % STYLE_FLUSH == 0) {
          sheet.flush();
        }
      }
      sheet.finish();
    }
    return bytes.toByteArray();
  }
}
