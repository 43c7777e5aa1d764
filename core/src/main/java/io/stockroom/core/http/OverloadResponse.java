package io.stockroom.core.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.core.admission.RequestHead;
import io.stockroom.protocol.Language;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.apache.tomcat.util.http.FastHttpDateFormat;

/** The response to a call that is rejected before Tomcat parses it, with a prepared body. */
public final class OverloadResponse {
  private final Routes routes;
  private final Languages languages;
  private final BiConsumer<String, String> recorder;
  private final Map<Language, byte[][]> bodies = new EnumMap<>(Language.class);

  /**
   * Prepares the bodies.
   *
   * @param recorder records the address and the request id of each rejection
   */
  public OverloadResponse(Routes routes, Languages languages, BiConsumer<String, String> recorder) {
    this.routes = routes;
    this.languages = languages;
    this.recorder = recorder;
    for (Language language : Language.values()) {
      byte[][] each = new byte[ConcurrencyLimits.MAX_RETRY_SECONDS + 1][];
      for (int seconds = 1; seconds < each.length; seconds++) {
        each[seconds] = Responses.overloaded(seconds).json(language);
      }
      bodies.put(language, each);
    }
  }

  /** A complete response with a new request id. */
  public byte[] to(RequestHead head) {
    String id = Responses.newRequestId();
    int seconds = ConcurrencyLimits.retrySeconds();
    byte[] body = Objects.requireNonNull(bodies.get(languages.of(head.language())))[seconds];
    byte[] start =
        ("HTTP/1.1 503 \r\n"
                + Responses.REQUEST_ID
                + ": "
                + id
                + "\r\nRetry-After: "
                + seconds
                + "\r\nContent-Type: "
                + Responses.JSON
                + "\r\nContent-Length: "
                + body.length
                + "\r\nDate: "
                + FastHttpDateFormat.getCurrentDate()
                + "\r\n\r\n")
            .getBytes(ISO_8859_1);
    byte[] response = new byte[start.length + body.length];
    System.arraycopy(start, 0, response, 0, start.length);
    System.arraycopy(body, 0, response, start.length, body.length);
    recorder.accept(routes.spelled(head.path()), id);
    return response;
  }
}
