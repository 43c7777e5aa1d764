package io.stockroom.protocol;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.stream.Collectors;

/** The words for every {@link ErrorCode}, in every {@link Language}. */
final class Messages {
  private static final int SHOWN_CHARACTERS = 80;
  private static final ResourceBundle ENGLISH = bundle("messages", Language.ENGLISH);
  private static final ResourceBundle CHINESE = bundle("messages", Language.CHINESE);
  private static final ResourceBundle PHRASES = bundle("phrases", Language.CHINESE);

  private Messages() {}

  static String text(ErrorCode code, Language language, List<Object> arguments) {
    ResourceBundle bundle =
        switch (language) {
          case ENGLISH -> ENGLISH;
          case CHINESE -> CHINESE;
        };
    // a message that can name what was probably meant has words of its own for that
    String nearest = code.name() + ".nearest";
    boolean named = arguments.size() > 1 && bundle.containsKey(nearest);
    String template = bundle.getString(named ? nearest : code.name());
    StringBuilder text = new StringBuilder(template.length() + 32);
    for (int i = 0; i < template.length(); i++) {
      char c = template.charAt(i);
      boolean placeholder = c == '{' && i + 2 < template.length() && template.charAt(i + 2) == '}';
      if (placeholder) {
        int place = template.charAt(i + 1) - '0';
        Object argument = arguments.get(place);
        // the first is what was given, and stays as it is
        text.append(shown(place == 0 ? argument : translated(argument, language)));
        i += 2;
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  private static Object translated(Object argument, Language language) {
    if (language == Language.ENGLISH) {
      return argument;
    }
    if (argument instanceof Collection<?> list) {
      return list.stream().map(one -> translated(one, language)).toList();
    }
    return argument instanceof String words && PHRASES.containsKey(words)
        ? PHRASES.getString(words)
        : argument;
  }

  private static ResourceBundle bundle(String name, Language language) {
    return ResourceBundle.getBundle(
        "io.stockroom.protocol." + name,
        Locale.forLanguageTag(language.tag()),
        ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));
  }

  /**
   * A value as it may stand in a message: nothing in it acts, and a caller's text is clipped. A
   * list is ours, and whole.
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
