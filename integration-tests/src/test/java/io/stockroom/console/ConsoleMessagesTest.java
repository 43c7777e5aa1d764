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
  private static final Pattern ENTRY = Pattern.compile("(?:audit\\.add|new Origin)\\([^;]*;");

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
