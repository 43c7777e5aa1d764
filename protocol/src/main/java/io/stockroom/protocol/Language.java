package io.stockroom.protocol;

import java.util.List;
import java.util.Locale;

/** The languages of messages. */
public enum Language {
  ENGLISH("en"),
  CHINESE("zh");

  private final String tag;

  Language(String tag) {
    this.tag = tag;
  }

  /** The language's short tag: {@code en} or {@code zh}. */
  public String tag() {
    return tag;
  }

  /**
   * Returns the first supported language of an {@code Accept-Language} header, or {@code fallback}
   * if there is none or the header is malformed.
   */
  public static Language choose(String acceptLanguage, Language fallback) {
    List<Locale.LanguageRange> ranges;
    try {
      ranges = Locale.LanguageRange.parse(acceptLanguage);
    } catch (IllegalArgumentException unreadable) {
      return fallback;
    }
    for (Locale.LanguageRange range : ranges) {
      String primary = range.getRange().split("-", 2)[0];
      for (Language language : values()) {
        if (range.getWeight() > 0 && language.tag.equals(primary)) {
          return language;
        }
      }
    }
    return fallback;
  }
}
