package io.stockroom.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.settings.Setting;
import io.stockroom.core.settings.Settings;
import io.stockroom.protocol.ErrorCode;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Generated tables in the docs match the program. */
class GeneratedPagesTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final String SETTINGS =
      """
      | Setting | Default | Meaning, and its variable |
      |---|---|---|
      """;
  private static final Map<String, String> SECTIONS =
      Map.of(
          "Path and method", "路径和方法",
          "Header format", "请求头格式",
          "Authentication", "认证",
          "Body", "请求体",
          "Fields", "字段",
          "Imports", "导入",
          "Limits", "额度与限制",
          "Business rules", "业务规则",
          "The admin API", "管理接口",
          "Server errors", "服务器错误");
  private static final Pattern ERROR =
      Pattern.compile("^\\| `([A-Z_]+)` \\| (\\d{3}) \\| (.+?) \\| (.+?) \\|$", Pattern.MULTILINE);

  @Test
  void theSettingsPageListsEverySetting() throws IOException {
    String page = Files.readString(DOCS.resolve("operators/settings.md"));
    String rows = Settings.ALL.stream().map(GeneratedPagesTest::row).collect(Collectors.joining());
    int from = page.indexOf(SETTINGS) + SETTINGS.length();
    int to = page.indexOf("\n\n", from) + 1;

    same("operators/settings.md", page.substring(0, from) + rows + page.substring(to));
  }

  private static String row(Setting<?> setting) {
    String standard = setting.standard().isEmpty() ? "" : "`" + setting.standard() + "`";
    String meaning = setting.meaning() + (setting.secret() ? " Never shown." : "");
    return "| `%s` | %s | %s `%s` |\n"
        .formatted(setting.name(), standard, meaning.replace("|", "\\|"), setting.variable());
  }

  @Test
  void theMessagesPageListsEveryCodeInBothLanguages() {
    Properties english = messages("en");
    Properties chinese = messages("zh");
    String rows =
        Arrays.stream(ErrorCode.values())
            .map(
                code ->
                    "| [`%s`](errors.md#%s) | %s | %s |\n"
                        .formatted(code, code, words(english, code), words(chinese, code)))
            .collect(Collectors.joining());

    same(
        "messages.md",
        """
        # Error messages

        The text of `msg` in both languages; `…` stands for a variable part. [Errors by code](errors.md) explains
        causes and fixes. Search this page for a message that you have seen.

        | Code | English | 中文 |
        |---|---|---|
        """
            + rows);
  }

  private static String words(Properties messages, ErrorCode code) {
    return Objects.requireNonNull(messages.getProperty(code.name()), code.name())
        .replaceAll("\\{\\d+\\}", "…")
        .replace("''", "'")
        .replace("|", "\\|");
  }

  private static Properties messages(String language) {
    Path file =
        Path.of("../protocol/src/main/resources/io/stockroom/protocol")
            .resolve("messages_" + language + ".properties");
    Properties messages = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      messages.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return messages;
  }

  @Test
  void theErrorsPageExplainsEveryCodeInTheOrderOfTheChecks() throws IOException {
    List<MatchResult> rows =
        ERROR.matcher(Files.readString(DOCS.resolve("errors.md"))).results().toList();

    assertThat(rows.stream().map(row -> row.group(1) + " " + row.group(2)))
        .as("docs/errors.md: a row for each ErrorCode, with its status, in the order of the enum")
        .containsExactlyElementsOf(
            Arrays.stream(ErrorCode.values()).map(code -> code + " " + code.status()).toList());
  }

  /** The Chinese page has the sections and codes of the English one, with the messages. */
  @Test
  void theChineseErrorsPageListsEveryCodeOfTheEnglishOne() throws IOException {
    Properties chinese = messages("zh");
    String page = Files.readString(DOCS.resolve("zh/errors.md"));
    StringBuilder right = new StringBuilder(page.replaceFirst("(?s)\\n## .*", ""));
    String[] sections = Files.readString(DOCS.resolve("errors.md")).split("\\n## ");
    for (int i = 1; i < sections.length; i++) {
      String heading = sections[i].lines().findFirst().orElseThrow();
      right.append(
          "\n## %s\n\n| 代码 | 状态 | 消息 |\n|---|---|---|\n"
              .formatted(
                  Objects.requireNonNull(
                      SECTIONS.get(heading), "add \"" + heading + "\" to SECTIONS")));
      for (MatchResult row : ERROR.matcher(sections[i]).results().toList()) {
        right.append(
            "| `%s` | %s | %s |\n"
                .formatted(
                    row.group(1), row.group(2), words(chinese, ErrorCode.valueOf(row.group(1)))));
      }
    }
    same("zh/errors.md", right.toString());
  }

  /** Fails if the page is out of date, and writes the correct version next to it. */
  private static void same(String page, String right) {
    Path file = DOCS.resolve(page);
    Path target = Path.of("target", "docs", page);
    try {
      Files.createDirectories(Objects.requireNonNull(target.getParent()));
      Files.writeString(target, right);
      assertThat(Files.exists(file) ? Files.readString(file) : "")
          .as(
              "docs/%1$s is not up to date. Renew it: cp integration-tests/target/docs/%1$s docs/%1$s",
              page)
          .isEqualTo(right);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
