package io.stockroom.core.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.core.admission.RequestHead;
import io.stockroom.core.call.Rejection;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.apache.tomcat.util.http.FastHttpDateFormat;

/** The responses to calls that are rejected before Tomcat parses them. */
public final class EarlyResponse {
  /** Records a rejected call. */
  public interface Recorder {
    void record(String address, String requestId, ErrorCode code);
  }

  private final Routes routes;
  private final Languages languages;
  private final Recorder recorder;

  /** Prepared, because there may be thousands in a second. */
  private final Map<Language, byte[][]> overloaded = new EnumMap<>(Language.class);

  public EarlyResponse(Routes routes, Languages languages, Recorder recorder) {
    this.routes = routes;
    this.languages = languages;
    this.recorder = recorder;
    for (Language language : Language.values()) {
      byte[][] each = new byte[ConcurrencyLimits.MAX_RETRY_SECONDS + 1][];
      for (int seconds = 1; seconds < each.length; seconds++) {
        each[seconds] = Responses.overloaded(seconds).json(language);
      }
      overloaded.put(language, each);
    }
  }

  /** The complete response to a call that would wait too long. */
  byte[] overloaded(RequestHead head) {
    int seconds = ConcurrencyLimits.retrySeconds();
    byte[] body = Objects.requireNonNull(overloaded.get(languages.of(head.language())))[seconds];
    return response(head, ErrorCode.OVERLOADED, "Retry-After: " + seconds, body);
  }

  /** The complete response to a call whose body did not arrive in time. */
  byte[] incomplete(RequestHead head) {
    ErrorCode code = ErrorCode.BODY_TIMEOUT;
    byte[] body = Rejection.of("", code).json(languages.of(head.language()));
    return response(head, code, "Connection: close", body);
  }

  private byte[] response(RequestHead head, ErrorCode code, String header, byte[] body) {
    String id = Responses.newRequestId();
    byte[] start =
        ("HTTP/1.1 "
                + code.status()
                + " \r\n"
                + Responses.REQUEST_ID
                + ": "
                + id
                + "\r\n"
                + header
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
    recorder.record(routes.spelled(head.path()), id, code);
    return response;
  }
}
