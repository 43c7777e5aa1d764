package io.stockroom.protocol.check;

import io.stockroom.protocol.Language;

/** What the check could not decide because something was missing. */
public enum Unchecked {
  /** Without a secret, only the form of the signature was checked. */
  SIGNATURE,
  /** There is no time to compare the timestamp with. */
  TIME,
  /** It is unknown which token is right. */
  TOKEN,
  /** The capture does not show the body. */
  BODY;

  /** What was not checked, why, and how to get it checked. */
  public String text(Language language) {
    return CheckTexts.of(language, "UNCHECKED." + name());
  }
}
