package io.stockroom.server.fuzz;

import io.stockroom.server.backup.BackupFuzz;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;

/** The seed inputs of fuzzing: the files in {@code src/test/fuzz}, and generated ones. */
final class Corpus {
  private static final Path FOLDER = Path.of("src", "test", "fuzz");

  private Corpus() {}

  static List<byte[]> of(Target target) throws IOException {
    List<byte[]> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(FOLDER.resolve(target.word()))) {
      for (Path file : files.sorted().toList()) {
        all.add(Files.readAllBytes(file));
      }
    }
    if (target == Target.XLSX) {
      all.add(workbook());
    }
    if (target == Target.BACKUP) {
      all.add(BackupFuzz.smallest());
    }
    return all;
  }

  private static byte[] workbook() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Workbook book = new Workbook(bytes, "test", "1.0")) {
      // uncompressed, so mutations reach the content
      book.setCompressionLevel(0);
      Worksheet sheet = book.newWorksheet("products");
      String[] names = {"artNo", "title", "price", "color", "size", "stock"};
      for (int column = 0; column < names.length; column++) {
        sheet.value(0, column, names[column]);
      }
      sheet.value(1, 0, "A1");
      sheet.value(1, 1, "鞋");
      sheet.value(1, 2, 59.5);
      sheet.value(1, 3, "red");
      sheet.value(1, 4, 36);
      sheet.value(1, 5, 7);
      sheet.finish();
    }
    return bytes.toByteArray();
  }
}
