package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The stored file of an import, opened by what it was found to be; it can be opened again. */
final class ImportFile {
  private static final int SAMPLE_LINES = 3;

  private final StoredFiles files;
  private final ImportJob job;
  private final Progress progress;
  private final Detection detection;
  private final byte[] head;
  private @Nullable PieceStream current;
  private @Nullable SampledRows sampled;
  private long before;

  private ImportFile(
      StoredFiles files, ImportJob job, Progress progress, Detection detection, byte[] head) {
    this.files = files;
    this.job = job;
    this.progress = progress;
    this.detection = detection;
    this.head = head;
  }

  static ImportFile of(StoredFiles files, ImportJob job, Progress progress)
      throws SQLException, FileRefused {
    byte[] first = files.piece(job.merchantId(), job.importId(), false, 0);
    if (first == null && job.bytes() > 0) {
      throw FileRefused.of(ErrorCode.IMPORT_FILE_GONE, job.importId());
    }
    byte[] head =
        first == null
            ? new byte[0]
            : Arrays.copyOf(first, Math.min(first.length, Detection.HEAD_BYTES));
    Detection detection = Detection.of(head, job.name(), job.guessedEncoding(), job.options());
    return new ImportFile(files, job, progress, detection, head);
  }

  Detection detection() {
    return detection;
  }

  String name() {
    return job.name();
  }

  /** How many bytes one reading of it takes: a workbook is read twice. */
  long total() {
    return detection.format() == Detection.Format.XLSX ? job.bytes() * 2 : job.bytes();
  }

  /** How many of them were read. */
  long read() {
    return before + (current == null ? 0 : current.count());
  }

  RowSource source(Map<String, String> remembered) throws IOException, FileRefused {
    return switch (detection.format()) {
      case JSON_LINES -> new JsonSource(lines());
      case CSV, XLSX -> {
        SampledRows rows = new SampledRows(table());
        sampled = rows;
        try {
          TableSource source =
              TableSource.open(rows, job.name(), job.options().columns(), remembered);
          rows.settle();
          yield source;
        } catch (FileRefused unfit) {
          rows.readOn();
          throw unfit;
        }
      }
    };
  }

  /** The first rows of a table that was opened, the header first; or the first lines. */
  List<List<String>> sample() {
    if (detection.format() == Detection.Format.JSON_LINES) {
      String text = detection.charset().decode(ByteBuffer.wrap(head)).toString();
      return text.lines()
          .limit(SAMPLE_LINES)
          .map(line -> List.of(Fault.shown(line.replace("\uFEFF", ""))))
          .toList();
    }
    return sampled == null ? List.of() : sampled.sample();
  }

  TableRows table() throws IOException, FileRefused {
    before = 0;
    current = null;
    return detection.format() == Detection.Format.XLSX
        ? new XlsxRows(this::open, job.name())
        : new CsvRows(reader(), detection.delimiter(), detection.encoding());
  }

  JsonLines lines() {
    before = 0;
    current = null;
    return new JsonLines(reader(), detection.encoding());
  }

  private Reader reader() {
    return new StrictReader(open(), detection.charset());
  }

  private InputStream open() {
    before = read();
    PieceStream opened =
        files.open(job.merchantId(), job.importId(), false, () -> progress.read(read(), total()));
    current = opened;
    return opened;
  }
}
