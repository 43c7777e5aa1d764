package io.stockroom.cli.mcp;

import io.stockroom.protocol.Spelling;
import io.stockroom.server.docs.Sources;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Every error code with its cause and its fix, read from the docs page {@code errors.md}. */
final class ErrorGuide {
  private static final String PAGE = "/manual/docs/errors.md";
  private static final String CELL = "((?:[^|\\\\]|\\\\.)+)";
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| %1$s \\| %1$s \\| %1$s \\|$".formatted(CELL));
  private static final Pattern LINK = Pattern.compile("\\[([^]]+)]\\([^)]+\\)");
  private static final int MAX_EDITS = 4;

  /** One code. */
  record Entry(String code, String status, String cause, String fix) {}

  private final Map<String, Entry> entries;

  private ErrorGuide(Map<String, Entry> entries) {
    this.entries = entries;
  }

  /** The page that is packaged with the program. */
  static ErrorGuide packaged() {
    try (InputStream page = Sources.class.getResourceAsStream(PAGE)) {
      if (page == null) {
        throw new IllegalStateException("The program was built without its docs: " + PAGE);
      }
      return parse(new String(page.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ErrorGuide parse(String page) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    Matcher row = ROW.matcher(page);
    while (row.find()) {
      entries.put(
          row.group(1),
          new Entry(row.group(1), plain(row.group(2)), plain(row.group(3)), plain(row.group(4))));
    }
    return new ErrorGuide(entries);
  }

  private static String plain(String cell) {
    return LINK.matcher(cell).replaceAll("$1").replace("\\|", "|").strip();
  }

  Entry find(String code) {
    Entry found = entries.get(code.strip().toUpperCase(Locale.ROOT));
    if (found != null) {
      return found;
    }
    throw new Refusal(
        "There is no error code \"%s\"%s. Pass the code of the response, such as CREATE_RATE: it is in errors[].code, or in the header X-Error-Code."
            .formatted(
                code,
                Spelling.nearest(code, entries.keySet(), MAX_EDITS)
                    .map("; did you mean %s?"::formatted)
                    .orElse("")));
  }
}
