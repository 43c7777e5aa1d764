package io.stockroom.core.traffic;

import io.stockroom.core.traffic.Traffic.Exchange;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Removes secrets from logged calls. A signature keeps its first characters, a token the prefix
 * that identifies it, and anything else that may be a secret four characters.
 */
public final class Redaction {
  static final char CUT = '…';

  private static final int VISIBLE = 4;
  private static final int VISIBLE_OF_TOKEN = 12;

  /**
   * Headers that are not secret, with the values they may have. Any other value is redacted: it may
   * be a secret in the wrong header. A nonce may be any text, so only a UUID or a text shorter than
   * our secrets, tokens and operator keys is shown.
   */
  private static final Map<String, Pattern> PUBLIC_HEADERS =
      Map.of(
          "appid", Pattern.compile("app_[a-z0-9]{1,16}"),
          "timestamp", Pattern.compile("[0-9]{1,19}"),
          "sign-method", Pattern.compile("(?i)hmac-sha256|md5"),
          "sign-nonce",
              Pattern.compile("[!-~]{16,31}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"));

  private static final Pattern SECRET_NAME =
      Pattern.compile("sign|token|secret|password|auth|cookie|key|credential");

  /** A field of a form, a query or a JSON object, by its name. */
  private static final Pattern SECRET_FIELD =
      Pattern.compile(
          "((?:^|[?&\\s\"'])(?:sign|accesstoken|access_token|token|secret|appsecret|app_secret"
              + "|password|authorization)\"?\\s*[=:]\\s*\"?)([^&\\s\",}]{1,4})[^&\\s\",}]*",
          Pattern.CASE_INSENSITIVE);

  /** Everything that the patterns find contains one of these words. */
  private static final List<String> TELLING =
      List.of("sign", "token", "secret", "password", "authorization", "srt_");

  private static final Pattern TOKEN = Pattern.compile("(srt_[A-Za-z0-9_-]{8})[A-Za-z0-9_-]+");

  private Redaction() {}

  /** The value of a header, cut if it may be a secret. */
  public static String header(String name, String value) {
    String lower = name.toLowerCase(Locale.ROOT);
    Pattern allowed = PUBLIC_HEADERS.get(lower);
    boolean secret =
        allowed == null
            ? SECRET_NAME.matcher(lower).find()
            : !allowed.matcher(value.strip()).matches();
    return secret ? visible(value) : text(value);
  }

  private static String visible(String value) {
    int max = value.startsWith("srt_") ? VISIBLE_OF_TOKEN : VISIBLE;
    return value.length() <= max ? "" + CUT : value.substring(0, max) + CUT;
  }

  /** Redacts whatever looks like a secret. */
  public static String text(String text) {
    if (!mayHide(text)) {
      return text;
    }
    String tokens = TOKEN.matcher(text).replaceAll("$1" + CUT);
    return SECRET_FIELD.matcher(tokens).replaceAll("$1$2" + CUT);
  }

  /** Most responses contain none of these words; patterns are slow to find that out. */
  private static boolean mayHide(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    for (String word : TELLING) {
      if (lower.contains(word)) {
        return true;
      }
    }
    return false;
  }

  /** As {@link #text}, for a response: it must not repeat what the request headers hid. */
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
