package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.MainSources;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ConsoleMessagesTest {
  private static final Path FOLDER = Path.of("../console/src/main/resources/console");

  /**
   * A message key in a template: {@code #{key}}, {@code #{key(…)}} or the prefix in {@code
   * #{${'key.' + …}}}.
   */
  private static final Pattern USED =
      Pattern.compile("#\\{([a-z][a-z0-9.-]*)|#\\{\\$\\{'([a-z.-]+)'");

  /** The statement that makes an entry of the audit log. */
  private static final Pattern ENTRY =
      Pattern.compile("(?:audit\\.add|addFromDirectory|audit\\.note|new Origin)\\([^;]*;");

  /** What may be the same in both languages: names, and texts without words. */
  private static final Set<String> NAMES =
      Set.of(
          "", "Stockroom", "p50", "p99", "JSON Lines", "STARTTLS", "TLS", "Webhook", "MiB", "KiB");

  /** The terms are 额度, 运营方, 操作人, 电子邮箱, 商家, 请求体, and 吊销 for tokens. */
  private static final Pattern OTHER_TERMS =
      Pattern.compile("配额|限额|运营者|操作者|电子邮件|租户|商户|卖家|消息体|报文|件商品|令牌[^。；]{0,12}被?撤销|撤销[^。；]{0,4}令牌");

  private static final Pattern FORMAT_ERROR =
      Pattern.compile("ErrorCode\\.(?:TEXT|CELL|FILE)_FORMAT[^;]*;");

  private static final Pattern PHRASE = Pattern.compile("\"([A-Za-z]+ [^\"%]*[A-Za-z.)8])\"");

  private static final Pattern ACTION = Pattern.compile("\"([a-z]+\\.[a-z-]+)\"");

  @Test
  void bothLanguagesHaveTheSameKeys() throws IOException {
    assertThat(new TreeSet<>(messages("zh").stringPropertyNames()))
        .isEqualTo(new TreeSet<>(messages("en").stringPropertyNames()));
  }

  @Test
  void everyKeyOfATemplateExists() throws IOException {
    Set<String> keys = messages("en").stringPropertyNames();
    int used = 0;
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".html")).toList()) {
        Matcher matcher = USED.matcher(Files.readString(file));
        while (matcher.find()) {
          String key = matcher.group(1);
          String beginning = matcher.group(2);
          assertThat(keys)
              .as("%s in %s", matcher.group(), file)
              .anyMatch(known -> key == null ? known.startsWith(beginning) : known.equals(key));
          used++;
        }
      }
    }
    assertThat(used).isGreaterThan(50);
  }

  /** A key is used if a source names it, or builds it: {@code 'prefix.' + word + '.suffix'}. */
  @Test
  void everyKeyIsUsed() throws IOException {
    StringBuilder sources = new StringBuilder();
    for (String type : List.of(".java", ".html", ".js")) {
      for (Path file : MainSources.files(type)) {
        sources.append(Files.readString(file)).append('\n');
      }
    }
    Set<String> literals = found("[\"'`{]([a-zA-Z][\\w.-]*)", sources);
    Set<String> words = found("([A-Za-z0-9]+)", sources);
    Set<String> beginnings =
        found("['\"`{]([a-z][\\w.-]*[.-])(?:['\"`]\\s*\\+|%s|\\$\\{)", sources);
    beginnings.addAll(found("#\\{\\$\\{'([a-z][\\w.-]*)", sources));
    Set<String> endings = found("\\+\\s*['\"]([.-][\\w.-]+)['\"]", sources);
    assertThat(messages("en").stringPropertyNames())
        .allSatisfy(
            key -> {
              boolean named = literals.contains(key);
              boolean begun =
                  beginnings.stream()
                      .filter(key::startsWith)
                      .map(beginning -> key.substring(beginning.length()).split("[.-]"))
                      .anyMatch(rest -> Stream.of(rest).allMatch(word -> isWord(word, words)));
              boolean ended =
                  endings.stream()
                      .filter(key::endsWith)
                      .anyMatch(
                          ending ->
                              literals.contains(key.substring(0, key.length() - ending.length())));
              assertThat(named || begun || ended).as(key).isTrue();
            });
  }

  private static boolean isWord(String word, Set<String> words) {
    return words.contains(word)
        || words.contains(word.toUpperCase(Locale.ROOT))
        || word.matches("\\d*[a-z]?");
  }

  private static Set<String> found(String pattern, CharSequence text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyTextIsTranslated() throws IOException {
    Properties english = messages("en");
    Properties chinese = messages("zh");
    assertThat(english.stringPropertyNames())
        .filteredOn(key -> !key.endsWith(".keys") && !key.startsWith("products.sample."))
        .filteredOn(key -> english.getProperty(key).equals(chinese.getProperty(key)))
        .allSatisfy(
            key -> {
              String words =
                  english.getProperty(key).replaceAll("\\{\\d[^}]*\\}", " ").replaceAll("\\W", " ");
              assertThat(NAMES).as(key).contains(words.strip());
            });
  }

  /** A phrase inside a message that nobody translated would be English inside Chinese. */
  @Test
  void everyPhraseOfAFormatErrorIsTranslated() throws IOException {
    Properties phrases = new Properties();
    try (Reader reader =
        Files.newBufferedReader(
            Path.of(
                "../protocol/src/main/resources/io/stockroom/protocol/phrases_zh.properties"))) {
      phrases.load(reader);
    }
    Set<String> used = new TreeSet<>();
    for (Path file : MainSources.files(".java")) {
      String source = Files.readString(file).replaceAll("\"\\s*\\+\\s*\"", "");
      for (Matcher error = FORMAT_ERROR.matcher(source); error.find(); ) {
        Matcher literal = PHRASE.matcher(error.group());
        while (literal.find()) {
          used.add(literal.group(1));
        }
      }
    }
    assertThat(used).hasSizeGreaterThan(10);
    assertThat(phrases.stringPropertyNames()).containsAll(used);
  }

  /** One term for each idea. */
  @Test
  void chineseTextsUseTheAgreedTerms() throws IOException {
    List<Path> files = MainSources.files("_zh.properties");
    try (Stream<Path> docs = Files.list(Path.of("../docs/zh"))) {
      docs.forEach(files::add);
    }
    assertThat(files).hasSizeGreaterThan(6);
    for (Path file : files) {
      assertThat(Files.readString(file).lines())
          .as(file.toString())
          .noneMatch(line -> OTHER_TERMS.matcher(line).find());
    }
  }

  @Test
  void everyMessageHasTheSamePlaceholdersInBothLanguages() throws IOException {
    Properties english = messages("en");
    Properties chinese = messages("zh");
    for (String key : english.stringPropertyNames()) {
      assertThat(places(chinese.getProperty(key), Locale.CHINESE))
          .as(key)
          .isEqualTo(places(english.getProperty(key), Locale.ENGLISH));
    }
  }

  @Test
  void everyActionOfTheAuditLogHasItsText() throws IOException {
    TreeSet<String> written = new TreeSet<>();
    StringBuilder sources = new StringBuilder();
    for (Path file : MainSources.files(".java")) {
      String source = Files.readString(file);
      sources.append(source);
      for (Matcher made = ENTRY.matcher(source); made.find(); ) {
        for (Matcher action = ACTION.matcher(made.group()); action.find(); ) {
          written.add("audit.action." + action.group(1));
        }
      }
    }
    assertThat(written).contains("audit.action.stock.edit").hasSizeGreaterThan(15);
    for (String language : List.of("en", "zh")) {
      Set<String> texts =
          messages(language).stringPropertyNames().stream()
              .filter(key -> key.startsWith("audit.action."))
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(texts).as(language).containsAll(written);
      // some actions are passed as arguments
      assertThat(texts)
          .allMatch(
              key -> sources.indexOf("\"" + key.substring("audit.action.".length()) + "\"") > 0);
    }
  }

  @Test
  void noMessageHasAnApostropheThatMessageFormatWouldEat() throws IOException {
    for (String language : List.of("en", "zh")) {
      assertThat(messages(language).values()).noneMatch(text -> text.toString().contains("'"));
    }
  }

  private static int places(String text, Locale locale) {
    return new MessageFormat(text, locale).getFormatsByArgumentIndex().length;
  }

  private static Properties messages(String language) throws IOException {
    Properties messages = new Properties();
    try (Reader reader =
        Files.newBufferedReader(FOLDER.resolve("console_" + language + ".properties"))) {
      messages.load(reader);
    }
    return messages;
  }
}
