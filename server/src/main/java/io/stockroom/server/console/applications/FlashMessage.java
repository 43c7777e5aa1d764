package io.stockroom.server.console.applications;

import java.util.Set;

/** What the page of an application can say was done; an address could name anything. */
final class FlashMessage {
  private static final Set<String> KNOWN =
      Set.of("changed", "former-ended", "stopped", "resumed", "token-revoked");

  private FlashMessage() {}

  static boolean isKnown(String word) {
    return KNOWN.contains(word);
  }
}
