package io.stockroom.console.applications;

import java.util.Set;

/** The messages that the application page can show after an action; the URL names one of them. */
final class FlashMessage {
  private static final Set<String> KNOWN =
      Set.of("changed", "renamed", "former-ended", "stopped", "resumed", "token-revoked");

  private FlashMessage() {}

  static boolean isKnown(String word) {
    return KNOWN.contains(word);
  }
}
