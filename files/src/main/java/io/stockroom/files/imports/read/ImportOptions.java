package io.stockroom.files.imports.read;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

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
    ImportMode mode,
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

  public ImportOptions with(ImportMode chosen) {
    return new ImportOptions(encoding, delimiter, columns, language, chosen, headerless, stockOnly);
  }

  public ImportOptions withoutHeader(boolean chosen) {
    return new ImportOptions(encoding, delimiter, columns, language, mode, chosen, stockOnly);
  }

  public ImportOptions stockOnly(boolean chosen) {
    return new ImportOptions(encoding, delimiter, columns, language, mode, headerless, chosen);
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
        encoding(encoding), delimiter(delimiter), columns, language, ImportMode.SET, false, false);
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
    ObjectNode node = MAPPER.createObjectNode();
    node.put("encoding", encoding);
    node.put("delimiter", delimiter == null ? null : String.valueOf(delimiter));
    node.put("language", language.tag());
    node.put("mode", mode.word());
    node.put("headerless", headerless);
    node.put("stockOnly", stockOnly);
    ObjectNode inner = node.putObject("columns");
    columns.forEach(inner::put);
    return MAPPER.writeValueAsString(node);
  }

  public static ImportOptions read(String json) {
    JsonNode node = MAPPER.readTree(json);
    String encoding = text(node, "encoding");
    String delimiter = text(node, "delimiter");
    Map<String, String> columns = new LinkedHashMap<>();
    node.path("columns")
        .properties()
        .forEach(field -> columns.put(field.getKey(), field.getValue().asString()));
    ImportMode mode = ImportMode.named(node.path("mode").asString(""));
    boolean chinese = Language.CHINESE.tag().equals(text(node, "language"));
    return new ImportOptions(
        encoding,
        delimiter == null ? null : delimiter.charAt(0),
        columns,
        chinese ? Language.CHINESE : Language.ENGLISH,
        mode == null ? ImportMode.SET : mode,
        node.path("headerless").asBoolean(false),
        node.path("stockOnly").asBoolean(false));
  }

  private static @Nullable String text(JsonNode node, String field) {
    JsonNode value = node.get(field);
    return value == null || value.isNull() ? null : value.asString();
  }
}
