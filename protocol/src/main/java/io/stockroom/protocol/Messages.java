package io.stockroom.protocol;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.stream.Collectors;

/** The words for every {@link ErrorCode}, in every {@link Language}. */
final class Messages {
  private static final int SHOWN_CHARACTERS = 80;
  private static final ResourceBundle ENGLISH = bundle(Language.ENGLISH);
  private static final ResourceBundle CHINESE = bundle(Language.CHINESE);

  private Messages() {}

  static String text(ErrorCode code, Language language, List<Object> arguments) {
    ResourceBundle bundle =
        switch (language) {
          case ENGLISH -> ENGLISH;
          case CHINESE -> CHINESE;
        };
    String template = bundle.getString(code.name());
    StringBuilder text = new StringBuilder(template.length() + 32);
    for (int i = 0; i < template.length(); i++) {
      char c = template.charAt(i);
      boolean placeholder = c == '{' && i + 2 < template.length() && template.charAt(i + 2) == '}';
      if (placeholder) {
        text.append(shown(arguments.get(template.charAt(i + 1) - '0')));
        i += 2;
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  private static ResourceBundle bundle(Language language) {
    return ResourceBundle.getBundle(
        "io.stockroom.protocol.messages",
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
