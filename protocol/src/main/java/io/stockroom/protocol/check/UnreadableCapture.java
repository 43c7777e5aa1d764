package io.stockroom.protocol.check;

import io.stockroom.protocol.Language;

/** A text that is no request in any form that is understood. */
public final class UnreadableCapture extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String key;
  private final String found;

  UnreadableCapture(String key, String found) {
    super(Words.of(Language.ENGLISH, "CAPTURE." + key));
    this.key = key;
    this.found = found;
  }

  /** Why, and in which forms a request can be given. */
  public String text(Language language) {
    String text = Words.of(language, "CAPTURE." + key);
    return found.isEmpty() ? text : text + " (" + found + ")";
  }
}
