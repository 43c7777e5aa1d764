package io.stockroom.files.imports.read;

import io.stockroom.protocol.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The detected format, encoding and delimiter of a file.
 *
 * @param encoding its name for display
 * @param mark whether it begins with a byte order mark
 */
public record Detection(
    Format format, Charset charset, String encoding, char delimiter, boolean mark) {
  /** How many bytes of the file detection looks at. */
  static final int HEAD_BYTES = 1 << 16;

  private static final String DELIMITERS = ",;\t|";
  private static final byte[] ZIP = {'P', 'K', 3, 4};
  private static final byte[] EMPTY_ZIP = {'P', 'K', 5, 6};

  public enum Format {
    CSV("csv"),
    XLSX("xlsx"),
    JSON_LINES("jsonl");

    private final String word;

    Format(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  /**
   * Detects by the first bytes of a file.
   *
   * @param guess the encoding that the bytes suggest, or empty
   */
  public static Detection of(byte[] head, String name, String guess, ImportOptions options)
      throws FileRejection {
    if (head.length == 0) {
      throw FileRejection.of(ErrorCode.FILE_EMPTY, name);
    }
    reject(ForeignFormat.of(head), name);
    // a workbook is recognized by its content, whatever its name
    if (startsWith(head, ZIP) || startsWith(head, EMPTY_ZIP)) {
      return new Detection(Format.XLSX, StandardCharsets.UTF_8, Encodings.UTF_8, ',', false);
    }
    String encoding = options.encoding();
    if (encoding == null || (encoding.equalsIgnoreCase("UTF-16") && guess.startsWith("UTF-16"))) {
      encoding = guessed(head, guess);
    }
    Charset charset = Encodings.charset(encoding);
    if (charset == null) {
      throw FileRejection.of(ErrorCode.ENCODING_UNKNOWN, encoding, Encodings.EXAMPLES);
    }
    boolean mark = text(head, charset).startsWith("\uFEFF");
    String text = text(head, charset).replace("\uFEFF", "").stripLeading();
    if (text.isEmpty()) {
      throw FileRejection.of(ErrorCode.FILE_EMPTY, name);
    }
    reject(ForeignFormat.of(text), name);
    Format format = format(text, name);
    Character asked = options.delimiter();
    char delimiter = asked == null ? delimiter(header(text)) : asked;
    return new Detection(format, charset, encoding, delimiter, mark);
  }

  private static void reject(@Nullable ForeignFormat format, String name) throws FileRejection {
    if (format != null) {
      throw FileRejection.of(ErrorCode.FILE_FORMAT, name, format.shown(), format.advice());
    }
  }

  private static Format format(String text, String name) throws FileRejection {
    String lower = name.toLowerCase(Locale.ROOT);
    boolean table = lower.endsWith(".csv") || lower.endsWith(".tsv") || lower.endsWith(".txt");
    if (text.startsWith("[") && (!table || text.substring(1).stripLeading().startsWith("{"))) {
      throw FileRejection.of(
          ErrorCode.FILE_FORMAT,
          name,
          "a JSON array",
          "Send JSON Lines: one object on each line, without brackets around and commas between"
              + " them.");
    }
    return !table && (text.startsWith("{") || lower.endsWith(".jsonl") || lower.endsWith(".ndjson"))
        ? Format.JSON_LINES
        : Format.CSV;
  }

  /** Chooses the encoding in which the header has the most known columns. */
  private static String guessed(byte[] head, String guess) {
    if (guess.startsWith("UTF")) {
      return guess;
    }
    Charset other = guess.isEmpty() ? null : Encodings.charset(guess);
    boolean chinese = guess.isEmpty() || guess.startsWith("GB") || guess.startsWith("HZ");
    if (other == null || chinese) {
      return Encodings.GBK;
    }
    int asGuessed = sense(head, other);
    Charset gbk = Encodings.charset(Encodings.GBK);
    return gbk != null && sense(head, gbk) > asGuessed ? Encodings.GBK : guess;
  }

  private static int sense(byte[] head, Charset charset) {
    String line = header(text(head, charset).stripLeading());
    return Columns.recognised(cells(line, delimiter(line)));
  }

  /** Chooses the delimiter that gives the header the most known columns. */
  private static char delimiter(String header) {
    char best = ',';
    int most = -1;
    for (int i = 0; i < DELIMITERS.length(); i++) {
      char delimiter = DELIMITERS.charAt(i);
      List<String> cells = cells(header, delimiter);
      int worth = Columns.recognised(cells) * 1000 + cells.size();
      if (worth > most) {
        most = worth;
        best = delimiter;
      }
    }
    return best;
  }

  private static List<String> cells(String line, char delimiter) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == delimiter && !quoted) {
        cells.add(cell.toString());
        cell.setLength(0);
      } else {
        cell.append(c);
      }
    }
    cells.add(cell.toString());
    return cells;
  }

  /** The first line, or a line below it if only that one names several known columns. */
  private static String header(String text) {
    String rest = text;
    for (int i = 0; i < TableSource.MAX_ROWS_ABOVE && !rest.isEmpty(); i++) {
      String line = firstLine(rest);
      if (Columns.recognised(cells(line, delimiter(line))) > 1) {
        return line;
      }
      rest = rest.substring(line.length()).stripLeading();
    }
    return firstLine(text);
  }

  private static String firstLine(String text) {
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      quoted ^= c == '"';
      if (!quoted && (c == '\n' || c == '\r')) {
        return text.substring(0, i);
      }
    }
    return text;
  }

  private static String text(byte[] head, Charset charset) {
    return charset.decode(ByteBuffer.wrap(head)).toString();
  }

  private static boolean startsWith(byte[] bytes, byte[] beginning) {
    for (int i = 0; i < beginning.length; i++) {
      if (i >= bytes.length || bytes[i] != beginning[i]) {
        return false;
      }
    }
    return true;
  }

  /** The delimiter for display; null if the format has none. */
  public @Nullable String shownDelimiter() {
    return format == Format.CSV ? String.valueOf(delimiter) : null;
  }
}
