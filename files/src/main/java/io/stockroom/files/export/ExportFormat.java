package io.stockroom.files.export;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The file formats of exports. */
public enum ExportFormat {
  CSV("text/csv; charset=utf-8") {
    @Override
    ProductWriter to(OutputStream stream) {
      return new TableWriter(new CsvFormat(stream));
    }
  },
  XLSX("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet") {
    @Override
    ProductWriter to(OutputStream stream) throws IOException {
      return new TableWriter(new XlsxFormat(stream));
    }
  },
  JSONL("application/x-ndjson") {
    @Override
    ProductWriter to(OutputStream stream) {
      return new JsonLinesWriter(stream);
    }
  };

  private final String mediaType;

  ExportFormat(String mediaType) {
    this.mediaType = mediaType;
  }

  /** The format named {@code csv}, {@code xlsx} or {@code jsonl}. */
  public static Optional<ExportFormat> named(String name) {
    return Arrays.stream(values()).filter(format -> format.ending().equals(name)).findFirst();
  }

  /** The file name extension without the dot. */
  public String ending() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String mediaType() {
    return mediaType;
  }

  abstract ProductWriter to(OutputStream stream) throws IOException;
}
