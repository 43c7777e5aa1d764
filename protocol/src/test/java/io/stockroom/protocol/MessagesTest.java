package io.stockroom.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MessagesTest {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\d}");
  private static final List<Object> VALUES = List.of("a0", "a1", "a2", "a3", "a4", "a5", "a6");

  @ParameterizedTest
  @EnumSource
  void everyCodeHasAMessageWithTheSameArgumentsInBothLanguages(ErrorCode code) {
    String english = words(Language.ENGLISH).getProperty(code.name());
    String chinese = words(Language.CHINESE).getProperty(code.name());

    assertThat(english).isNotBlank();
    assertThat(chinese).isNotBlank();
    assertThat(placeholders(chinese)).isEqualTo(placeholders(english));
    for (Language language : Language.values()) {
      assertThat(new Problem("", code, VALUES).message(language)).doesNotContain("{", "}");
    }
  }

  @Test
  void noMessageBelongsToARemovedCode() {
    List<String> codes = Arrays.stream(ErrorCode.values()).map(Enum::name).toList();

    for (Language language : Language.values()) {
      assertThat(words(language).stringPropertyNames())
          .filteredOn(key -> !key.endsWith(".nearest"))
          .containsExactlyInAnyOrderElementsOf(codes);
    }
  }

  @Test
  void suggestsACorrectionIfThereIsOne() {
    assertThat(Problem.of("", ErrorCode.NOT_FOUND, "/x").message(Language.ENGLISH))
        .doesNotContain("Did you mean");
    assertThat(Problem.of("", ErrorCode.NOT_FOUND, "/x", "/y").message(Language.ENGLISH))
        .isEqualTo("There is no such address: /x. Did you mean POST /y?");
    assertThat(Problem.of("", ErrorCode.NOT_FOUND, "/x", "/y").message(Language.CHINESE))
        .isEqualTo("没有这个地址：/x。是否应为 POST /y？");
  }

  @Test
  void translatesTheExpectationButNotTheGivenValue() {
    Problem problem = Problem.of("", ErrorCode.FIELD_TYPE, "a string", "a string");

    assertThat(problem.message(Language.CHINESE)).isEqualTo("此处应为 字符串，收到的却是 a string。");
    assertThat(problem.message(Language.ENGLISH)).doesNotContain("字符串");
    assertThat(
            Problem.of("", ErrorCode.FIELD_TYPE, "x", List.of("an array"))
                .message(Language.CHINESE))
        .contains("数组");
  }

  /** Names of fields, headers, formats and the like are the same in every language. */
  private static final Set<String> NAMES =
      Set.of(
          ("POST GET Stock Product List Creat Adjust Detail Publish Usage admin UUID Unix MD5 MD HMAC sign method hmac"
                  + " sha appid accesstoken Authorization Bearer KEY operator key Content Type JSON Lines"
                  + " UTF GBK true false null published failed withdrawn import max file size secret NEW"
                  + " OLD csv xlsx jsonl CSV XLSX Excel xls PDF PNG JPEG GIF gzip RAR HTML XML ZIP http"
                  + " https COLUMN Accept merchant developer succeeded rejected refused waiting planning planned"
                  + " applying applied cancelled SIGN FORMAT li example com PT DT timestamp msg url ASCII nonce Encoding"
                  + " open bytes duration expired Webhook DNS webhooks allow private stock product TLS HTTP URL"
                  + " WebP pictures megapixels quota wh id Snapshot Digest SHA Base changes days UTC Asia Shanghai")
              .split(" "));

  @ParameterizedTest
  @EnumSource
  void chineseMessagesContainNoEnglishWords(ErrorCode code) {
    assertThat(english(words(Language.CHINESE).getProperty(code.name()))).isEmpty();
  }

  @Test
  void chinesePhrasesContainNoEnglishWords() {
    Properties phrases = words("phrases", Language.CHINESE);

    assertThat(phrases.stringPropertyNames())
        .isNotEmpty()
        .allSatisfy(key -> assertThat(english(phrases.getProperty(key))).as(key).isEmpty());
  }

  private static List<String> english(String text) {
    return Pattern.compile("[A-Za-z]{2,}")
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .filter(word -> !NAMES.contains(word))
        .toList();
  }

  @Test
  void translatesPhrasesWithNumbersAndPhrasesOfOneCode() {
    assertThat(
            Problem.of("", ErrorCode.ENTRY_REPEATED, "A1", "row", 36, "row 12")
                .message(Language.CHINESE))
        .contains("“row”", "第 12 行");
    assertThat(
            Problem.of("", ErrorCode.IMPORT_STATE, 7, "applied", "planned")
                .message(Language.CHINESE))
        .isEqualTo("导入任务 7 的状态为 已导入；只有在 待确认 状态下才能这样做。");
    assertThat(
            Problem.of("", ErrorCode.COLUMN_REPEATED, "a", "planned", "artNo")
                .message(Language.CHINESE))
        .as("a column that is called so")
        .contains("“planned”");
  }

  @Test
  void doesNotClipOurOwnText() {
    String ours =
        "Send JSON Lines: one object on each line, without brackets around and commas between them.";

    assertThat(
            Problem.of("", ErrorCode.FILE_FORMAT, "p", "a JSON array", ours)
                .message(Language.ENGLISH))
        .endsWith(ours);
  }

  @Test
  void showsReportsOfOlderVersionsWithFewerArguments() {
    assertThat(Problem.of("", ErrorCode.TEXT_CHARACTERS, "x").message(Language.ENGLISH))
        .startsWith("\"x\" has … at position …");
  }

  @Test
  void escapesControlCharacters() {
    String message =
        Problem.of("", ErrorCode.SIZE_FORMAT, "a\u0000b\r\nc\u001b[31m\u202Ed\uD800e")
            .message(Language.ENGLISH);

    assertThat(message)
        .startsWith("\"a\\u0000b\\u000d\\u000ac\\u001b[31m\\u202ed\\ud800e\" is not a size");
    assertThat(Problem.of("", ErrorCode.SIZE_FORMAT, "红👟").message(Language.CHINESE))
        .startsWith("“红👟”");
  }

  @Test
  void clipsLongValues() {
    assertThat(Problem.of("", ErrorCode.SIZE_FORMAT, "x".repeat(80)).message(Language.ENGLISH))
        .startsWith("\"" + "x".repeat(80) + "\"");
    assertThat(Problem.of("", ErrorCode.SIZE_FORMAT, "x".repeat(81)).message(Language.ENGLISH))
        .startsWith("\"" + "x".repeat(80) + "…\"");
  }

  @Test
  void doesNotExpandPlaceholdersInAValue() {
    assertThat(Problem.of("", ErrorCode.SIZE_FORMAT, "{0}{1}").message(Language.ENGLISH))
        .startsWith("\"{0}{1}\"");
  }

  @Test
  void showsTheLocationIfThereIsOne() {
    assertThat(Problem.of("page", ErrorCode.FIELD_MISSING, "page").sentence(Language.ENGLISH))
        .isEqualTo("page: page is missing.");
    assertThat(Problem.of("", ErrorCode.TEXT_EMPTY).sentence(Language.ENGLISH))
        .isEqualTo("The text is empty.");
  }

  @ParameterizedTest
  @EnumSource
  void retryableCodesHaveARetryableStatus(ErrorCode code) {
    assertThat(code.status()).isIn(200, 400, 401, 403, 404, 405, 408, 409, 413, 429, 500, 503);
    assertThat(code.retryable()).isEqualTo(code.status() == 429 || code.status() == 503);
  }

  private static Set<String> placeholders(String words) {
    Set<String> found = new TreeSet<>();
    PLACEHOLDER.matcher(words).results().map(MatchResult::group).forEach(found::add);
    return found;
  }

  private static Properties words(Language language) {
    return words("messages", language);
  }

  private static Properties words(String name, Language language) {
    String file = name + "_" + language.tag() + ".properties";
    Properties words = new Properties();
    try (InputStreamReader reader =
        new InputStreamReader(
            Objects.requireNonNull(ErrorCode.class.getResourceAsStream(file)),
            StandardCharsets.UTF_8)) {
      words.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return words;
  }
}
