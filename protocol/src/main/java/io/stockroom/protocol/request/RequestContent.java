package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request, without the authentication headers.
 *
 * @param contentType the media type in lowercase, without parameters; empty if there is none
 * @param charset the charset of the media type, in lowercase; empty if there is none
 * @param query the raw query string; empty if there is none
 * @param body the whole body, decompressed
 */
public record RequestContent(String contentType, String charset, String query, byte[] body) {
  public static final int MAX_BYTES = 2 * 1024 * 1024;
  public static final String FORM = "application/x-www-form-urlencoded";
  public static final String JSON = "application/json";

  private static final String CHARSET = "charset=";

  /** The content of a request with this {@code Content-Type} header and this raw query string. */
  public static RequestContent of(
      @Nullable String contentType, @Nullable String query, byte[] body) {
    String type = contentType == null ? "" : contentType;
    return new RequestContent(mediaType(type), charset(type), query == null ? "" : query, body);
  }

  /**
   * The compression named by the Content-Encoding headers, in lowercase; empty if there is none.
   */
  public static String encoding(List<String> headers) {
    String encoding = String.join(", ", headers).strip().toLowerCase(Locale.ROOT);
    return encoding.equals("identity") ? "" : encoding;
  }

  /** Requires the media type {@code expected}, in UTF-8 if it is JSON. */
  public void require(String expected) throws InvalidRequest {
    boolean wrongCharset =
        contentType.equals(JSON) && !charset.isEmpty() && !charset.equals("utf-8");
    if (!contentType.equals(expected) || wrongCharset) {
      String sent = charset.isEmpty() ? contentType : contentType + "; charset=" + charset;
      throw InvalidRequest.of("headers.Content-Type", ErrorCode.CONTENT_TYPE, sent, expected);
    }
  }

  private static String mediaType(String header) {
    int end = header.indexOf(';');
    return (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  private static String charset(String header) {
    String lower = header.toLowerCase(Locale.ROOT);
    int start = lower.indexOf(CHARSET);
    if (start < 0) {
      return "";
    }
    String rest = lower.substring(start + CHARSET.length());
    int end = rest.indexOf(';');
    return (end < 0 ? rest : rest.substring(0, end)).replace("\"", "").strip();
  }
}
