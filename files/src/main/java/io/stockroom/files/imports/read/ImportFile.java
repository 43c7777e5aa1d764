package io.stockroom.files.imports.read;

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

/** The file of an import. It can be opened several times, by its detected format. */
public final class ImportFile {
  private static final int SAMPLE_LINES = 3;

  private final StoredFile stored;
  private final Progress progress;
  private final Detection detection;
  private final byte[] head;
  private @Nullable PieceStream current;
  private @Nullable SampledRows sampled;
  private long before;

  private ImportFile(StoredFile stored, Progress progress, Detection detection, byte[] head) {
    this.stored = stored;
    this.progress = progress;
    this.detection = detection;
    this.head = head;
  }

  public static ImportFile of(StoredFile stored, Progress progress)
      throws SQLException, FileRejection {
    byte[] first = stored.pieces().get(0);
    if (first == null && stored.bytes() > 0) {
      throw FileRejection.of(ErrorCode.IMPORT_FILE_GONE, stored.importId());
    }
    byte[] head =
        first == null
            ? new byte[0]
            : Arrays.copyOf(first, Math.min(first.length, Detection.HEAD_BYTES));
    Detection detection =
        Detection.of(head, stored.name(), stored.guessedEncoding(), stored.options());
    return new ImportFile(stored, progress, detection, head);
  }

  public Detection detection() {
    return detection;
  }

  public String name() {
    return stored.name();
  }

  /** How many bytes one pass reads: a workbook is read twice. */
  public long total() {
    return detection.format() == Detection.Format.XLSX ? stored.bytes() * 2 : stored.bytes();
  }

  /** How many of them have been read. */
  public long read() {
    return before + (current == null ? 0 : current.count());
  }

  /** Reads the products; {@code choices} has the merchant's words. */
  public RowSource source(Map<String, String> remembered, Choices choices)
      throws IOException, FileRejection {
    return switch (detection.format()) {
      case JSON_LINES -> new JsonSource(lines(), choices);
      case CSV, XLSX -> {
        ImportOptions options = stored.options().with(choices);
        SampledRows rows = new SampledRows(table(), options.headerless());
        sampled = rows;
        try {
          TableSource source =
              TableSource.open(rows, stored.name(), options, remembered, this::tableAside);
          rows.settle();
          yield source;
        } catch (FileRejection unfit) {
          rows.readOn();
          throw unfit;
        }
      }
    };
  }

  /** The table once more, while it is being read. */
  private TableRows tableAside() throws IOException, FileRejection {
    PieceStream reading = current;
    long earlier = before;
    TableRows rows = table();
    before = earlier;
    current = reading;
    return rows;
  }

  /** The first rows of the table, header first, or the first lines of JSON. */
  public List<List<String>> sample() {
    if (detection.format() == Detection.Format.JSON_LINES) {
      String text = detection.charset().decode(ByteBuffer.wrap(head)).toString();
      return text.lines()
          .limit(SAMPLE_LINES)
          .map(line -> List.of(FileProblem.shown(line.replace("\uFEFF", ""))))
          .toList();
    }
    return sampled == null ? List.of() : sampled.sample();
  }

  public TableRows table() throws IOException, FileRejection {
    before = 0;
    current = null;
    return detection.format() == Detection.Format.XLSX
        ? new XlsxRows(this::open, stored.name())
        : new CsvRows(reader(), detection.delimiter(), detection.encoding());
  }

  public JsonLines lines() {
    before = 0;
    current = null;
    return new JsonLines(reader(), detection.encoding());
  }

  private Reader reader() {
    return new StrictReader(open(), detection.charset());
  }

  private InputStream open() {
    before = read();
    PieceStream opened = new PieceStream(stored.pieces(), () -> progress.read(read(), total()));
    current = opened;
    return opened;
  }
}
