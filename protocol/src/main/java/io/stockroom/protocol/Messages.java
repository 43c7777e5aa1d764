package io.stockroom.protocol;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The message texts of every {@link ErrorCode} in every {@link Language}. */
final class Messages {
  private static final int SHOWN_CHARACTERS = 80;
  private static final ResourceBundle ENGLISH = bundle("messages", Language.ENGLISH);
  private static final ResourceBundle CHINESE = bundle("messages", Language.CHINESE);
  private static final ResourceBundle PHRASES = bundle("phrases", Language.CHINESE);
  private static final Pattern NUMBER = Pattern.compile("[0-9]+$");

  private Messages() {}

  static String text(ErrorCode code, Language language, List<Object> arguments) {
    ResourceBundle bundle =
        switch (language) {
          case ENGLISH -> ENGLISH;
          case CHINESE -> CHINESE;
        };
    // a message that can suggest a correction has a second text for it
    String nearest = code.name() + ".nearest";
    boolean named = arguments.size() > 1 && bundle.containsKey(nearest);
    String template = bundle.getString(named ? nearest : code.name());
    StringBuilder text = new StringBuilder(template.length() + 32);
    for (int i = 0; i < template.length(); i++) {
      char c = template.charAt(i);
      boolean placeholder = c == '{' && i + 2 < template.length() && template.charAt(i + 2) == '}';
      if (placeholder) {
        int place = template.charAt(i + 1) - '0';
        // a report that an older version stored may have fewer arguments
        Object argument = place < arguments.size() ? arguments.get(place) : "…";
        if (argument instanceof Localized localized) {
          text.append(localized.text(language));
        } else {
          // the first argument is the caller's value and is not translated
          text.append(place == 0 ? shown(argument) : worded(code, argument, language));
        }
        i += 2;
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  /** Translates our own phrases; shows all other values like {@link #shown}. */
  private static String worded(ErrorCode code, Object argument, Language language) {
    if (argument instanceof Collection<?> list) {
      return list.stream()
          .map(one -> worded(code, one, language))
          .collect(Collectors.joining(", "));
    }
    if (!(argument instanceof String words)) {
      return shown(argument);
    }
    String phrase = phrase(code, words);
    if (phrase == null) {
      return shown(words);
    }
    return language == Language.ENGLISH ? words : phrase;
  }

  /**
   * Returns the Chinese for one of our own phrases, or null for other text. A phrase that a caller
   * might also write is translated only in messages of one code. Numbers in a phrase's key are
   * written as {@code #}.
   */
  private static @Nullable String phrase(ErrorCode code, String words) {
    for (String key : List.of(code.name() + "." + words, words)) {
      if (PHRASES.containsKey(key)) {
        return PHRASES.getString(key);
      }
    }
    Matcher number = NUMBER.matcher(words);
    String key = number.replaceFirst("#");
    return !key.equals(words) && PHRASES.containsKey(key)
        ? PHRASES.getString(key).replace("#", words.replaceAll("[^0-9]", ""))
        : null;
  }

  private static ResourceBundle bundle(String name, Language language) {
    return ResourceBundle.getBundle(
        "io.stockroom.protocol." + name,
        Locale.forLanguageTag(language.tag()),
        ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));
  }

  /**
   * Escapes control characters and clips the caller's text. A list is our own text and stays whole.
   */
  private static String shown(Object value) {
    if (value instanceof Collection<?> list) {
      return list.stream().map(Messages::shown).collect(Collectors.joining(", "));
    }
    String text = value.toString();
    StringBuilder shown = new StringBuilder();
    int end = Math.min(text.length(), SHOWN_CHARACTERS);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) {
        shown.append(c).append(text.charAt(++i));
      } else if (acts(c)) {
        shown.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        shown.append(c);
      }
    }
    return text.length() > SHOWN_CHARACTERS ? shown.append('…').toString() : shown.toString();
  }

  private static boolean acts(char c) {
    return Character.isISOControl(c)
        || Character.isSurrogate(c)
        || Character.getType(c) == Character.FORMAT;
  }
}
