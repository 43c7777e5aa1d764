package io.stockroom.protocol.check;

import java.util.Locale;

/**
 * Parses a captured request: a curl command, raw HTTP as proxies and logs show it, or JSON (a HAR
 * file, or an object with method, url, headers and body).
 */
public final class Capture {
  /** More than any valid request, including its headers. */
  public static final int MAX_CHARACTERS = 4 * 1024 * 1024;

  private Capture() {}

  /**
   * Parses {@code text}.
   *
   * @throws UnreadableCapture if it has none of these forms
   */
  public static CapturedRequest read(String text) {
    if (text.length() > MAX_CHARACTERS) {
      throw new UnreadableCapture("TOO_LONG", "");
    }
    String tidy = text.strip();
    if (tidy.isEmpty()) {
      throw new UnreadableCapture("EMPTY", "");
    }
    // a shell prompt that was copied along
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
