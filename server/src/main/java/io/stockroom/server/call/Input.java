package io.stockroom.server.call;

import io.stockroom.protocol.ErrorCode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the caller sent beside the headers that authenticate it.
 *
 * @param contentType the media type in lower case, without parameters; empty where there was none
 * @param charset the charset that was named, in lower case; empty where there was none
 * @param query the raw query string, empty where there was none
 * @param body the whole body, unpacked where it came compressed
 */
public record Input(String contentType, String charset, String query, byte[] body) {
  public static final int MOST_BYTES = 2 * 1024 * 1024;
  public static final String FORM = "application/x-www-form-urlencoded";
  public static final String JSON = "application/json";

  /** Reads the header {@code Content-Type}. */
  public static Input of(@Nullable String contentType, @Nullable String query, byte[] body) {
    String type = contentType == null ? "" : contentType;
    return new Input(mediaType(type), charset(type), query == null ? "" : query, body);
  }

  /** Notes a problem unless the body has the media type {@code expected} and can be UTF-8. */
  public void require(String expected, Problems problems) {
    boolean wrongCharset =
        contentType.equals(JSON) && !charset.isEmpty() && !charset.equals("utf-8");
    if (!contentType.equals(expected) || wrongCharset) {
      String sent = charset.isEmpty() ? contentType : contentType + "; charset=" + charset;
      problems.add("headers.Content-Type", ErrorCode.CONTENT_TYPE, sent, expected);
    }
  }

  private static String mediaType(String header) {
    int end = header.indexOf(';');
    return (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  private static String charset(String header) {
    String lower = header.toLowerCase(Locale.ROOT);
    int start = lower.indexOf("charset=");
    if (start < 0) {
      return "";
    }
    String rest = lower.substring(start + "charset=".length());
    int end = rest.indexOf(';');
    return (end < 0 ? rest : rest.substring(0, end)).replace("\"", "").strip();
  }
}
