package io.stockroom.files.imports.read;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * How to read a file; null means auto-detect.
 *
 * @param columns column → field; an empty field ignores the column
 * @param language the language of the reasons in the file of rejected rows
 * @param headerless whether the first row of a table is data; its columns are A, B, C, …
 * @param stockOnly whether the file must not change products, only their stock
 */
public record ImportOptions(
    @Nullable String encoding,
    @Nullable Character delimiter,
    Map<String, String> columns,
    Language language,
    Choices choices,
    boolean headerless,
    boolean stockOnly) {
  public static final ImportOptions NONE = in(Language.ENGLISH);
  private static final JsonMapper MAPPER = new JsonMapper();

  public ImportOptions {
    columns = Map.copyOf(columns);
  }

  /** Defaults, with reasons in this language. */
  public static ImportOptions in(Language language) {
    return of(null, null, Map.of(), language);
  }

  public ImportMode mode() {
    return choices.mode();
  }

  public ImportOptions with(ImportMode chosen) {
    return with(choices.with(chosen));
  }

  public ImportOptions with(Choices chosen) {
    return new ImportOptions(encoding, delimiter, columns, language, chosen, headerless, stockOnly);
  }

  public ImportOptions withoutHeader(boolean chosen) {
    return new ImportOptions(encoding, delimiter, columns, language, choices, chosen, stockOnly);
  }

  public ImportOptions stockOnly(boolean chosen) {
    return new ImportOptions(encoding, delimiter, columns, language, choices, headerless, chosen);
  }

  /** The problems of options that a person wrote. */
  public static List<Problem> problems(
      @Nullable String encoding, @Nullable String delimiter, Map<String, String> columns) {
    List<Problem> problems = new ArrayList<>();
    String named = encoding(encoding);
    if (named != null && Encodings.charset(named) == null) {
      problems.add(Problem.of("encoding", ErrorCode.ENCODING_UNKNOWN, named, Encodings.EXAMPLES));
    }
    if (delimiter != null && !delimiter.isEmpty() && delimiter(delimiter) == null) {
      problems.add(Problem.of("delimiter", ErrorCode.DELIMITER_FORMAT, delimiter));
    }
    columns.forEach(
        (column, field) -> {
          FileProblem problem = Columns.check(field);
          if (problem != null) {
            problems.add(
                Problem.of("map." + column, problem.code(), problem.arguments().toArray()));
          }
        });
    return problems;
  }

  /** The options that a person wrote, if they have no {@link #problems}. */
  public static ImportOptions of(
      @Nullable String encoding,
      @Nullable String delimiter,
      Map<String, String> columns,
      Language language) {
    return new ImportOptions(
        encoding(encoding), delimiter(delimiter), columns, language, Choices.NONE, false, false);
  }

  private static @Nullable String encoding(@Nullable String text) {
    return text == null || text.isBlank() ? null : text.strip();
  }

  private static @Nullable Character delimiter(@Nullable String text) {
    return switch (text == null ? "" : text.toLowerCase(Locale.ROOT)) {
      case ",", "comma" -> ',';
      case ";", "semicolon" -> ';';
      case "\t", "tab", "\\t" -> '\t';
      case "|", "bar", "pipe" -> '|';
      default -> null;
    };
  }

  public String json() {
    return MAPPER.writeValueAsString(this);
  }

  public static ImportOptions read(String json) {
    return MAPPER.readValue(json, ImportOptions.class);
  }
}
