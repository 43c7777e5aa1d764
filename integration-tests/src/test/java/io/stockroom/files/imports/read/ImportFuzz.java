package io.stockroom.files.imports.read;

import io.stockroom.files.imports.read.Detection.Format;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/** Reads bytes as a product file, from format detection to the last row. */
public final class ImportFuzz {
  private ImportFuzz() {}

  /** Reads to the end, or until the file or a row is rejected. */
  public static void read(byte[] file, String name) throws IOException {
    Inspection inspection = new Inspection();
    inspection.look(file, file.length);
    byte[] head = Arrays.copyOf(file, Math.min(file.length, Detection.HEAD_BYTES));
    try {
      Detection detection = Detection.of(head, name, inspection.encoding(), ImportOptions.NONE);
      try (RowSource source = source(file, name, detection)) {
        while (source.next() != null) {
          // each row is checked while it is read
        }
      }
    } catch (FileRejection refused) {
      // a rejection is a valid result
    }
  }

  private static RowSource source(byte[] file, String name, Detection detection)
      throws IOException, FileRejection {
    StrictReader reader = new StrictReader(new ByteArrayInputStream(file), detection.charset());
    if (detection.format() == Format.JSON_LINES) {
      return new JsonSource(new JsonLines(reader, detection.encoding()), Choices.NONE);
    }
    TableSource.Again table =
        () ->
            detection.format() == Format.XLSX
                ? new XlsxRows(() -> new ByteArrayInputStream(file), name)
                : new CsvRows(
                    new StrictReader(new ByteArrayInputStream(file), detection.charset()),
                    detection.delimiter(),
                    detection.encoding());
    return TableSource.open(table.open(), name, ImportOptions.NONE, Map.of(), table);
  }
}
