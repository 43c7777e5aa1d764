package io.stockroom.protocol.check;

import io.stockroom.protocol.Language;

/** A text that is not a request in any supported form. */
public final class UnreadableCapture extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String key;
  private final String found;

  UnreadableCapture(String key, String found) {
    super(CheckTexts.of(Language.ENGLISH, "CAPTURE." + key));
    this.key = key;
    this.found = found;
  }

  /** Why it is unreadable, and the supported forms. */
  public String text(Language language) {
    String text = CheckTexts.of(language, "CAPTURE." + key);
    return found.isEmpty() ? text : text + " (" + found + ")";
  }
}
