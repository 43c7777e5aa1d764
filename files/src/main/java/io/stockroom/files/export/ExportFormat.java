package io.stockroom.files.export;

import io.stockroom.protocol.Language;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The file formats of exports. */
public enum ExportFormat {
  CSV("text/csv; charset=utf-8") {
    @Override
    ProductWriter to(OutputStream stream, Language language) {
      return new TableWriter(new CsvFormat(stream, language));
    }
  },
  XLSX("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet") {
    @Override
    ProductWriter to(OutputStream stream, Language language) throws IOException {
      return new TableWriter(new XlsxFormat(stream, language));
    }
  },
  JSONL("application/x-ndjson") {
    @Override
    ProductWriter to(OutputStream stream, Language language) {
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

  /** A table has its header in this language; the fields of JSON Lines are the interface's. */
  abstract ProductWriter to(OutputStream stream, Language language) throws IOException;
}
