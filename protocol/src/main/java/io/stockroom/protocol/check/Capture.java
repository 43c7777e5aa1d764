package io.stockroom.protocol.check;

import java.util.Locale;

/**
 * Reads a captured request in whichever form people have it: a curl command, raw HTTP as proxies
 * and logs show it, or JSON (a HAR file, or an object with method, url, headers and body).
 */
public final class Capture {
  /** More than any request of the interface may have, with room for its headers. */
  public static final int MAX_CHARACTERS = 4 * 1024 * 1024;

  private Capture() {}

  /**
   * Reads {@code text}.
   *
   * @throws UnreadableCapture where it is none of these
   */
  public static CapturedRequest read(String text) {
    if (text.length() > MAX_CHARACTERS) {
      throw new UnreadableCapture("TOO_LONG", "");
    }
    String tidy = text.strip();
    if (tidy.isEmpty()) {
      throw new UnreadableCapture("EMPTY", "");
    }
    // a prompt that was copied along
    String command = tidy.replaceFirst("^[$#>%]\\s+", "");
    if (command.toLowerCase(Locale.ROOT).matches("(?s)curl(\\.exe)?\\s.*")) {
      return CurlCommand.read(command);
    }
    if (tidy.startsWith("{") || tidy.startsWith("[")) {
      return JsonCapture.read(tidy);
    }
    return RawHttp.read(text.stripLeading());
  }
}
