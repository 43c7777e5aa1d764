package io.stockroom.core.moves;

import io.stockroom.protocol.Language;
import io.stockroom.protocol.Localized;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates what the directory and rejections say about moves, and about databases of new cells,
 * in English. Texts of PostgreSQL stay as they are.
 */
public final class MoveText {
  private static final ResourceBundle ENGLISH = bundle(Language.ENGLISH);
  private static final ResourceBundle CHINESE = bundle(Language.CHINESE);
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([0-9])\\}");
  private static final int MAX_ARGUMENTS = 4;

  private MoveText() {}

  /** The text in every language. */
  public static Localized of(String english) {
    return language -> language == Language.ENGLISH ? english : chinese(english);
  }

  private static String chinese(String english) {
    for (String key : ENGLISH.keySet()) {
      Object[] arguments = new Object[MAX_ARGUMENTS];
      if (matches(ENGLISH.getString(key), english, arguments)) {
        return new MessageFormat(CHINESE.getString(key), Locale.ROOT).format(arguments);
      }
    }
    return english;
  }

  private static boolean matches(String template, String text, Object[] arguments) {
    StringBuilder pattern = new StringBuilder();
    Matcher placeholder = PLACEHOLDER.matcher(template);
    int end = 0;
    while (placeholder.find()) {
      pattern.append(Pattern.quote(template.substring(end, placeholder.start()))).append("(.+)");
      end = placeholder.end();
    }
    pattern.append(Pattern.quote(template.substring(end)));
    Matcher whole = Pattern.compile(pattern.toString()).matcher(text);
    if (!whole.matches()) {
      return false;
    }
    placeholder.reset();
    for (int group = 1; placeholder.find(); group++) {
      arguments[Integer.parseInt(placeholder.group(1))] = chinese(whole.group(group));
    }
    return true;
  }

  private static ResourceBundle bundle(Language language) {
    return ResourceBundle.getBundle(
        "io.stockroom.core.moves.texts",
        Locale.forLanguageTag(language.tag()),
        ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));
  }
}
