package io.stockroom.protocol;

import java.util.List;
import java.util.Locale;

/** The languages in which messages are written. */
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
   * Chooses by an {@code Accept-Language} header: the first of the caller's languages that we
   * write, else {@code fallback}. A header that cannot be read chooses nothing.
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
