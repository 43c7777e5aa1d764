package io.stockroom.server.traffic;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Takes out of a call what must not be kept: a signature shows its first characters, a token the
 * beginning by which it is known everywhere, anything else that sounds like a secret next to
 * nothing.
 */
final class Masks {
  static final char CUT = '…';

  private static final int VISIBLE = 4;
  private static final int VISIBLE_OF_TOKEN = 12;

  /** Headers that are no secret although they sound like one. */
  private static final List<String> HARMLESS = List.of("appid", "sign-method", "sign-nonce");

  private static final Pattern SECRET_NAME =
      Pattern.compile("sign|token|secret|password|auth|cookie|key|credential");

  /** A field of a form, a query or a JSON object, by its name. */
  private static final Pattern SECRET_FIELD =
      Pattern.compile(
          "((?:^|[?&\\s\"'])(?:sign|accesstoken|access_token|token|secret|appsecret|app_secret"
              + "|password|authorization)\"?\\s*[=:]\\s*\"?)([^&\\s\",}]{1,4})[^&\\s\",}]*",
          Pattern.CASE_INSENSITIVE);

  /** One of these is in everything that the patterns of a text find. */
  private static final List<String> TELLING =
      List.of("sign", "token", "secret", "password", "authorization", "srt_");

  private static final Pattern TOKEN = Pattern.compile("(srt_[A-Za-z0-9_-]{8})[A-Za-z0-9_-]+");

  private Masks() {}

  static String header(String name, String value) {
    String lower = name.toLowerCase(Locale.ROOT);
    return !HARMLESS.contains(lower) && SECRET_NAME.matcher(lower).find()
        ? visible(value)
        : text(value);
  }

  private static String visible(String value) {
    int most = value.startsWith("srt_") ? VISIBLE_OF_TOKEN : VISIBLE;
    return value.length() <= most ? "" + CUT : value.substring(0, most) + CUT;
  }

  /** Masks what looks like a secret wherever it stands. */
  static String text(String text) {
    if (!mayHide(text)) {
      return text;
    }
    String tokens = TOKEN.matcher(text).replaceAll("$1" + CUT);
    return SECRET_FIELD.matcher(tokens).replaceAll("$1$2" + CUT);
  }

  /** Most answers have none of these words, and patterns are slow to find that out. */
  private static boolean mayHide(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    for (String word : TELLING) {
      if (lower.contains(word)) {
        return true;
      }
    }
    return false;
  }

  /** As {@link #text}; and an answer must not repeat what the headers of its request hid. */
  static String answer(String text, List<Exchange.Header> headers) {
    String masked = text;
    for (Exchange.Header header : headers) {
      String shown = header(header.name(), header.value());
      if (shown.indexOf(CUT) >= 0 && header.value().length() > VISIBLE) {
        masked = masked.replace(header.value(), shown);
      }
    }
    return text(masked);
  }
}
