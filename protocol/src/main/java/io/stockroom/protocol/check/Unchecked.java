package io.stockroom.protocol.check;

import io.stockroom.protocol.Language;

/** What could not be checked for want of something. */
public enum Unchecked {
  /** No secret, so the signature was looked at and not computed. */
  SIGNATURE,
  /** No time to hold the timestamp against. */
  TIME,
  /** Nobody said which token is right. */
  TOKEN,
  /** The capture does not show the body. */
  BODY;

  /** What it is, why, and how to have it checked. */
  public String text(Language language) {
    return Words.of(language, "UNCHECKED." + name());
  }
}
