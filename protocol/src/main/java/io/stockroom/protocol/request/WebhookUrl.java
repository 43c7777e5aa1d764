package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The rules for the URL of a webhook that need no name lookup. */
final class WebhookUrl {
  static final int MAX_CHARACTERS = 2048;

  /** Below are the ports of mail, file sharing and other services that are not HTTP. */
  private static final int FIRST_FREE_PORT = 1024;

  private static final int MAX_PORT = 65535;

  private WebhookUrl() {}

  /** Returns null after noting the first problem. */
  static @Nullable URI read(JsonPath at, String text, Problems problems) {
    if (text.length() > MAX_CHARACTERS) {
      problems.add(at, ErrorCode.TEXT_TOO_LONG, text, text.length(), MAX_CHARACTERS);
      return null;
    }
    URI url = parse(text);
    String reason = url == null ? "it is not a URL in ASCII" : reason(url);
    if (reason != null) {
      problems.add(at, ErrorCode.WEBHOOK_URL, text, reason);
      return null;
    }
    return url;
  }

  /** Names outside ASCII look alike to people and differ between libraries: send their A-label. */
  private static @Nullable URI parse(String text) {
    if (!text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      return null;
    }
    try {
      return new URI(text);
    } catch (URISyntaxException broken) {
      return null;
    }
  }

  private static @Nullable String reason(URI url) {
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("https") && !scheme.equals("http")) {
      return "it must start with https:// or http://";
    }
    if (url.getRawUserInfo() != null) {
      return "it must not contain a user name or a password";
    }
    if (url.getHost() == null) {
      return "it has no valid host";
    }
    if (url.getRawFragment() != null) {
      return "it must not contain a fragment (#)";
    }
    int port = url.getPort();
    boolean isAllowed =
        port == -1 || port == 80 || port == 443 || (port >= FIRST_FREE_PORT && port <= MAX_PORT);
    return isAllowed ? null : "its port must be 80, 443 or from 1024 to 65535";
  }
}
