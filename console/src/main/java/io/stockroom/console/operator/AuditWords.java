package io.stockroom.console.operator;

import io.stockroom.core.audit.Audit;
import io.stockroom.protocol.Language;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Subjects and details of the audit log in the language of the person. The log has them in English,
 * because its hashes cover them; {@code audit_zh.properties} has the Chinese for each pattern.
 */
public final class AuditWords {
  /** Their details are names and reasons that people wrote. */
  private static final Set<String> WRITTEN_BY_PEOPLE =
      Set.of(
          "merchant.create",
          "merchant.rename",
          "merchant.suspend",
          "merchant.close",
          "merchant.remove",
          "application.create",
          "application.rename",
          "product.create",
          "cell.add",
          "cell.update",
          "cell.remove");

  private static final String BY_SETTING = "as the setting says";
  private static final Pattern PLACE = Pattern.compile("\\{([0-9])}");

  private static final ResourceBundle CHINESE =
      ResourceBundle.getBundle(
          "console.audit",
          Locale.CHINESE,
          ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));

  private record Phrase(Pattern english, String chinese) {
    static Phrase of(String key) {
      String pattern = PLACE.matcher("\\Q" + key + "\\E").replaceAll("\\\\E(.+?)\\\\Q");
      return new Phrase(Pattern.compile(pattern, Pattern.DOTALL), CHINESE.getString(key));
    }
  }

  /** The longer ones first: they are more specific. */
  private static final List<Phrase> PHRASES =
      CHINESE.keySet().stream()
          .filter(key -> key.contains("{"))
          .sorted(Comparator.comparingInt(String::length).reversed())
          .map(Phrase::of)
          .toList();

  private final boolean chinese;

  public AuditWords(Language language) {
    this.chinese = language == Language.CHINESE;
  }

  public String subject(Audit.Entry entry) {
    return chinese ? translated(entry.subject()) : entry.subject();
  }

  public String details(Audit.Entry entry) {
    return WRITTEN_BY_PEOPLE.contains(entry.action()) ? entry.details() : details(entry.details());
  }

  public String details(String english) {
    return chinese ? translated(english) : english;
  }

  private static String translated(String english) {
    if (CHINESE.containsKey(english)) {
      return CHINESE.getString(english);
    }
    for (Phrase phrase : PHRASES) {
      Matcher matcher = phrase.english.matcher(english);
      if (matcher.matches()) {
        return filled(phrase.chinese, matcher.toMatchResult());
      }
    }
    String list = list(english, ", ");
    String words = list == null ? list(english, " ") : list;
    return words == null ? english.replace(BY_SETTING, CHINESE.getString(BY_SETTING)) : words;
  }

  /** The places of the Chinese phrase have the numbers of the English ones, from left to right. */
  private static String filled(String chinese, MatchResult found) {
    return PLACE
        .matcher(chinese)
        .replaceAll(
            place -> {
              String value = found.group(Integer.parseInt(place.group(1)) + 1);
              String known = CHINESE.containsKey(value) ? CHINESE.getString(value) : value;
              return Matcher.quoteReplacement(known);
            });
  }

  /** A list of words that are all known; null for other text. */
  private static @Nullable String list(String english, String separator) {
    List<String> parts = Arrays.asList(english.split(Pattern.quote(separator)));
    List<String> known = new ArrayList<>();
    parts.stream().filter(CHINESE::containsKey).map(CHINESE::getString).forEach(known::add);
    return known.size() == parts.size() ? String.join("、", known) : null;
  }
}
