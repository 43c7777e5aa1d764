package io.stockroom.core.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.stockroom.core.admission.ConcurrencyLimits;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.FileAnswer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.database.SqlFailures;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.tomcat.util.http.FastHttpDateFormat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Sends answers. */
public final class Responses {
  public static final String REQUEST_ID = "X-Request-Id";

  private static final int RETRY_SECONDS = 2;
  static final String JSON = "application/json; charset=utf-8";

  private Responses() {}

  /**
   * A serialized answer.
   *
   * @param code the error code; empty for a success
   * @param gzip the compressed body; null if it is sent uncompressed
   */
  record Outgoing(
      String requestId,
      int status,
      String code,
      Map<String, String> headers,
      byte[] body,
      byte @Nullable [] gzip) {
    private Outgoing compressed(Answer answer) {
      byte[] small = answer.gzip(body, Compression::gzip);
      return new Outgoing(requestId, status, code, headers, body, small);
    }

    /** The whole response of HTTP/1.1, for a connection that Tomcat takes for idle. */
    byte[] bytes(boolean isSecure) {
      StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append(" \r\n");
      header(head, REQUEST_ID, requestId);
      headers.forEach((name, value) -> header(head, name, value));
      header(head, "Content-Type", JSON);
      if (isSecure) {
        header(head, StrictHttpValve.TRANSPORT_SECURITY, StrictHttpValve.ONE_YEAR);
      }
      if (body.length >= Compression.MIN_BYTES) {
        header(head, "Vary", "Accept-Encoding");
      }
      if (gzip != null) {
        header(head, "Content-Encoding", "gzip");
      }
      byte[] sent = gzip == null ? body : gzip;
      header(head, "Content-Length", Integer.toString(sent.length));
      header(head, "Date", FastHttpDateFormat.getCurrentDate());
      byte[] start = head.append("\r\n").toString().getBytes(ISO_8859_1);
      byte[] whole = Arrays.copyOf(start, start.length + sent.length);
      System.arraycopy(sent, 0, whole, start.length, sent.length);
      return whole;
    }

    private static void header(StringBuilder head, String name, String value) {
      head.append(name).append(": ").append(value).append("\r\n");
    }

    void send(HttpServletResponse response) throws IOException {
      response.setStatus(status);
      response.setHeader(REQUEST_ID, requestId);
      headers.forEach(response::setHeader);
      response.setHeader("Content-Type", JSON);
      if (body.length >= Compression.MIN_BYTES) {
        response.addHeader("Vary", "Accept-Encoding");
      }
      if (gzip != null) {
        response.setHeader("Content-Encoding", "gzip");
      }
      byte[] sent = gzip == null ? body : gzip;
      response.setContentLength(sent.length);
      response.getOutputStream().write(sent);
    }
  }

  static Outgoing outgoing(Answer answer, Language language) {
    Map<String, String> headers = answer.headers();
    String own = headers.get(REQUEST_ID);
    byte[] body = answer.json(language);
    String id = own == null ? newRequestId() : own;
    return new Outgoing(id, answer.status(), answer.code(), headers, body, null);
  }

  /** As {@link #outgoing}, compressed if that pays off and {@code request} accepts it. */
  static Outgoing compressed(HttpServletRequest request, Answer answer, Language language) {
    Outgoing plain = outgoing(answer, language);
    return plain.body.length >= Compression.MIN_BYTES && acceptsGzip(request)
        ? plain.compressed(answer)
        : plain;
  }

  /** As {@link #compressed}, for a request that is gone. */
  static Outgoing compressed(boolean acceptsGzip, Answer answer, Language language) {
    Outgoing plain = outgoing(answer, language);
    return plain.body.length >= Compression.MIN_BYTES && acceptsGzip
        ? plain.compressed(answer)
        : plain;
  }

  static boolean acceptsGzip(HttpServletRequest request) {
    return request.getHeader("Accept-Encoding") != null
        && Compression.isAccepted(request.getHeaders("Accept-Encoding"));
  }

  public static void send(HttpServletResponse response, Answer answer, Language language)
      throws IOException {
    outgoing(answer, language).send(response);
  }

  /**
   * Sends a file while it is generated. A failure before the first byte gets a normal answer; a
   * later one is thrown and cuts the connection.
   */
  public static void sendFile(
      HttpServletResponse response, FileAnswer file, Language language, Logger log)
      throws IOException {
    String id = newRequestId();
    response.setHeader(REQUEST_ID, id);
    file.headers().forEach(response::setHeader);
    response.setHeader("Content-Type", file.mediaType());
    try {
      Rejection rejection = file.content().write(response.getOutputStream());
      if (rejection != null) {
        response.reset();
        send(response, rejection, language);
      }
    } catch (SQLException | RuntimeException failure) {
      boolean isUnavailable = SqlFailures.isUnavailable(failure);
      if (response.isCommitted()) {
        log.error(
            "{} broke off, request {}: {}",
            file.name(),
            id,
            failure.getMessage(),
            isUnavailable ? null : failure);
        throw new IOException(file.name() + " broke off", failure);
      }
      response.reset();
      send(
          response,
          isUnavailable
              ? unavailable(log, file.name(), failure)
              : internal(log, file.name(), failure),
          language);
    }
  }

  /**
   * The answer to an internal error: details go to the log, and the caller gets an id to find them.
   */
  public static Answer internal(Logger log, String path, Exception failure) {
    String id = newRequestId();
    log.error("{} failed, request {}", path, id, failure);
    return Rejection.of("", ErrorCode.INTERNAL, id).with(REQUEST_ID, id);
  }

  /**
   * The answer to a call that failed: the database is unavailable, or there is an internal error.
   */
  static Answer failed(Logger log, String path, Exception failure) {
    return SqlFailures.isUnavailable(failure)
        ? unavailable(log, path, failure)
        : internal(log, path, failure);
  }

  /** The answer to a call that would wait too long; no work was done for it. */
  public static Answer overloaded() {
    return overloaded(ConcurrencyLimits.retrySeconds());
  }

  static Answer overloaded(int seconds) {
    return Rejection.of("", ErrorCode.OVERLOADED, seconds)
        .with("Retry-After", Integer.toString(seconds));
  }

  /** The answer while the database is unavailable. */
  public static Answer unavailable(Logger log, String path, Exception failure) {
    log.warn("{} answered 503: {}", path, failure.getMessage());
    return Rejection.of("", ErrorCode.UNAVAILABLE, RETRY_SECONDS)
        .with("Retry-After", Integer.toString(RETRY_SECONDS));
  }

  /** A short id that a caller can quote; it is not secret, and rarely repeats. */
  static String newRequestId() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }
}
