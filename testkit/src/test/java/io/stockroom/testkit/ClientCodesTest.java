package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.ErrorCode;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/**
 * The clients in clients/ know every error code, what to do about it, and the server's words for
 * what they check themselves. These tables are generated from docs/errors.md and from the messages.
 */
class ClientCodesTest {
  private static final Path CLIENTS = Path.of("..", "clients");
  private static final Path FOUND = Path.of("target", "clients");
  private static final Map<String, String> FILES =
      Map.of(
          "typescript", "typescript/src/codes.ts",
          "python", "python/src/stockroom/codes.py",
          "php", "php/src/Codes.php");

  private static final Pattern ROW =
      Pattern.compile("^\\| `([A-Z_]+)` \\| (\\d+) \\| .* \\| (.*) \\|$", Pattern.MULTILINE);

  private static final Set<ErrorCode> AUTHENTICATION =
      EnumSet.range(ErrorCode.HEADER_MISSING, ErrorCode.OPERATOR_KEY_WRONG);
  private static final Set<ErrorCode> LIMITS =
      EnumSet.of(ErrorCode.DETAIL_PER_DAY, ErrorCode.PUBLISH_SHARE, ErrorCode.STORE_PRODUCTS);

  /** What the clients check before they send anything. */
  private static final Set<ErrorCode> CHECKED =
      EnumSet.of(
          ErrorCode.HEADER_MISSING,
          ErrorCode.HEADER_FORMAT,
          ErrorCode.IDEMPOTENCY_KEY_FORMAT,
          ErrorCode.FIELD_MISSING,
          ErrorCode.FIELD_CHOICE,
          ErrorCode.FIELD_TYPE,
          ErrorCode.NUMBER_FORMAT,
          ErrorCode.NUMBER_RANGE,
          ErrorCode.CHANGE_ZERO,
          ErrorCode.TEXT_EMPTY,
          ErrorCode.TEXT_TOO_LONG,
          ErrorCode.TEXT_CHARACTERS,
          ErrorCode.LIST_EMPTY,
          ErrorCode.LIST_TOO_LONG,
          ErrorCode.SIZE_FORMAT,
          ErrorCode.SIZE_BOUNDS,
          ErrorCode.SIZE_ORDER,
          ErrorCode.SIZE_TOO_MANY,
          ErrorCode.BARCODE_ON_RANGE,
          ErrorCode.ENTRY_REPEATED,
          ErrorCode.BARCODE_REPEATED,
          ErrorCode.PRODUCT_REPEATED,
          ErrorCode.RESULT_FORMAT,
          ErrorCode.CURSOR_FORMAT);

  private static final List<String> PHRASES =
      List.of(
          "a string",
          "a whole number",
          "a string or a whole number",
          "an array of color groups",
          "an array of sizes",
          "an array of adjustments",
          "an array of publish results",
          "none of them");

  /** What is generated: codes with kind and remedy, and the words of both languages. */
  private record Tables(
      Map<String, List<String>> codes,
      Map<String, String> english,
      Map<String, String> chinese,
      Map<String, String> phrases) {}

  @Test
  void knowEveryErrorCode() throws IOException {
    Tables tables =
        new Tables(codes(), messages("messages_en"), messages("messages_zh"), phrases());
    assertThat(tables.codes.keySet())
        .containsAll(Stream.of(ErrorCode.values()).map(ErrorCode::name).toList());
    for (Map.Entry<String, String> file : FILES.entrySet()) {
      String expected =
          switch (file.getKey()) {
            case "typescript" -> typescript(tables);
            case "python" -> python(tables);
            default -> php(tables);
          };
      Path found = FOUND.resolve(file.getValue());
      Files.createDirectories(Objects.requireNonNull(found.getParent()));
      Files.writeString(found, expected);
    }
    for (String file : FILES.values()) {
      assertThat(CLIENTS.resolve(file))
          .as("generated from docs/errors.md; to accept: cp -r testkit/target/clients/. clients/")
          .hasSameTextualContentAs(FOUND.resolve(file));
    }
  }

  /** The class of the exception and what to do, by code. */
  private static Map<String, List<String>> codes() throws IOException {
    Map<String, List<String>> codes = new LinkedHashMap<>();
    Matcher row = ROW.matcher(Files.readString(Path.of("..", "docs", "errors.md")));
    while (row.find()) {
      String fix =
          row.group(3).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").replaceAll("[`\\\\]", "");
      codes.put(
          row.group(1),
          List.of(
              kind(ErrorCode.valueOf(row.group(1)), Integer.parseInt(row.group(2))),
              fix.substring(0, 1).toUpperCase(Locale.ROOT) + fix.substring(1) + "."));
    }
    return codes;
  }

  /** The class of the exception, without "Exception" or "Error". */
  static String kind(ErrorCode code, int status) {
    if (AUTHENTICATION.contains(code)) {
      return "Authentication";
    }
    if (LIMITS.contains(code)) {
      return "LimitReached";
    }
    return switch (code) {
      case CURSOR_EXPIRED -> "CursorExpired";
      case PRODUCT_MISSING -> "NotFound";
      default ->
          switch (status) {
            case 200 -> "Rejected";
            case 429 -> "RateLimited";
            case 500 -> "Server";
            case 503 -> "Unavailable";
            default -> "InvalidRequest";
          };
    };
  }

  private static Map<String, String> messages(String bundle) throws IOException {
    Properties all = properties(bundle);
    return CHECKED.stream()
        .map(ErrorCode::name)
        .collect(
            Collectors.toMap(
                code -> code, code -> text(all, code), (a, b) -> a, LinkedHashMap::new));
  }

  private static String text(Properties all, String name) {
    return Objects.requireNonNull(all.getProperty(name), name);
  }

  private static Map<String, String> phrases() throws IOException {
    Properties all = properties("phrases_zh");
    Map<String, String> phrases = new LinkedHashMap<>();
    for (String phrase : PHRASES) {
      String chinese = all.getProperty(phrase, "");
      phrases.put(phrase, chinese.isEmpty() ? text(all, "FIELD_CHOICE." + phrase) : chinese);
    }
    return phrases;
  }

  private static Properties properties(String name) throws IOException {
    Properties properties = new Properties();
    try (Reader reader =
        new InputStreamReader(
            Objects.requireNonNull(
                ErrorCode.class.getResourceAsStream(
                    "/io/stockroom/protocol/" + name + ".properties")),
            StandardCharsets.UTF_8)) {
      properties.load(reader);
    }
    return properties;
  }

  private static String typescript(Tables tables) {
    return """
        // Generated from docs/errors.md and the server's messages.

        /** The kind of error and what to do, by code. */
        export const CODES: Record<string, [string, string]> = {
        %s};

        /** The server's words for what this client checks. */
        export const MESSAGES: Record<"en" | "zh", Record<string, string>> = {
          en: {
        %s  },
          zh: {
        %s  },
        };

        export const PHRASES: Record<string, string> = {
        %s};
        """
        .formatted(
            lines(tables.codes, "  %s: [%s, %s],\n"),
            texts(tables.english, "    %s: %s,\n"),
            texts(tables.chinese, "    %s: %s,\n"),
            texts(tables.phrases, "  %s: %s,\n"));
  }

  private static String python(Tables tables) {
    return """
        # Generated from docs/errors.md and the server's messages.
        from __future__ import annotations

        #: The kind of error and what to do, by code.
        CODES: dict[str, tuple[str, str]] = {
        %s}

        #: The server's words for what this client checks.
        MESSAGES: dict[str, dict[str, str]] = {
            "en": {
        %s    },
            "zh": {
        %s    },
        }

        PHRASES: dict[str, str] = {
        %s}
        """
        .formatted(
            lines(tables.codes, "    %s: (%s, %s),\n"),
            texts(tables.english, "        %s: %s,\n"),
            texts(tables.chinese, "        %s: %s,\n"),
            texts(tables.phrases, "    %s: %s,\n"));
  }

  private static String php(Tables tables) {
    return """
        <?php

        declare(strict_types=1);

        namespace Stockroom;

        /** Generated from docs/errors.md and the server's messages. */
        final class Codes
        {
            /** The kind of error and what to do, by code. */
            public const CODES = [
        %s    ];

            /** The server's words for what this client checks. */
            public const MESSAGES = [
                "en" => [
        %s        ],
                "zh" => [
        %s        ],
            ];

            public const PHRASES = [
        %s    ];
        }
        """
        .formatted(
            lines(tables.codes, "        %s => [%s, %s],\n"),
            texts(tables.english, "            %s => %s,\n"),
            texts(tables.chinese, "            %s => %s,\n"),
            texts(tables.phrases, "        %s => %s,\n"))
        .replace("$", "\\$");
  }

  private static String lines(Map<String, List<String>> codes, String line) {
    return codes.entrySet().stream()
        .map(
            code ->
                line.formatted(
                    quoted(code.getKey()),
                    quoted(code.getValue().getFirst()),
                    quoted(code.getValue().getLast())))
        .collect(Collectors.joining());
  }

  private static String texts(Map<String, String> texts, String line) {
    return texts.entrySet().stream()
        .map(text -> line.formatted(quoted(text.getKey()), quoted(text.getValue())))
        .collect(Collectors.joining());
  }

  /** The three languages quote a text of these characters as JSON does. */
  private static String quoted(String text) {
    return new JsonMapper().writeValueAsString(text);
  }
}
