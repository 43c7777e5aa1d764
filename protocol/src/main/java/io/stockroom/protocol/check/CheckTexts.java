package io.stockroom.protocol.check;

import io.stockroom.protocol.Language;
import java.util.Locale;
import java.util.ResourceBundle;

/** The texts of every cause in every language. */
final class CheckTexts {
  private static final ResourceBundle ENGLISH = bundle(Language.ENGLISH);
  private static final ResourceBundle CHINESE = bundle(Language.CHINESE);

  private CheckTexts() {}

  static String of(Language language, String key) {
    return switch (language) {
      case ENGLISH -> ENGLISH.getString(key);
      case CHINESE -> CHINESE.getString(key);
    };
  }

  private static ResourceBundle bundle(Language language) {
    return ResourceBundle.getBundle(
        "io.stockroom.protocol.check.causes",
        Locale.forLanguageTag(language.tag()),
        ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));
  }
}
