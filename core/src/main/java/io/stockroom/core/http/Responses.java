package io.stockroom.core.http;

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
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Sends answers. */
public final class Responses {
  public static final String REQUEST_ID = "X-Request-Id";

  private static final int RETRY_SECONDS = 2;
  static final String JSON = "application/json;charset=utf-8";
  static final HttpField JSON_FIELD = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, JSON);

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

    /** The response of the interface. */
    void send(Response response, Callback callback) {
      response.setStatus(status);
      HttpFields.Mutable fields = response.getHeaders();
      fields.put(REQUEST_ID, requestId);
      headers.forEach(fields::put);
      fields.put(JSON_FIELD);
      if (body.length >= Compression.MIN_BYTES) {
        fields.add(HttpHeader.VARY, "Accept-Encoding");
      }
      if (gzip != null) {
        fields.put(HttpHeader.CONTENT_ENCODING, "gzip");
      }
      response.write(true, ByteBuffer.wrap(gzip == null ? body : gzip), callback);
    }

    /** The response of a servlet. */
    void send(HttpServletResponse response) throws IOException {
      response.setStatus(status);
      response.setHeader(REQUEST_ID, requestId);
      headers.forEach(response::setHeader);
      response.setHeader("Content-Type", JSON);
      response.setContentLength(body.length);
      response.getOutputStream().write(body);
    }
  }

  static Outgoing outgoing(Answer answer, Language language) {
    Map<String, String> headers = answer.headers();
    String own = headers.get(REQUEST_ID);
    byte[] body = answer.json(language);
    String id = own == null ? newRequestId() : own;
    return new Outgoing(id, answer.status(), answer.code(), headers, body, null);
  }

  /** As {@link #outgoing}, compressed if that pays off and the client accepts it. */
  static Outgoing compressed(Request request, Answer answer, Language language) {
    Outgoing plain = outgoing(answer, language);
    HttpFields fields = request.getHeaders();
    return plain.body.length >= Compression.MIN_BYTES
            && fields.contains(HttpHeader.ACCEPT_ENCODING)
            && Compression.isAccepted(fields.getValuesList(HttpHeader.ACCEPT_ENCODING))
        ? plain.compressed(answer)
        : plain;
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
      HttpServletRequest request,
      HttpServletResponse response,
      FileAnswer file,
      Language language,
      Logger log)
      throws IOException {
    String id = newRequestId();
    chunk(request, response);
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
   * Lets a client notice that a file broke off, even if it asked for the connection to be closed:
   * the last chunk is missing.
   */
  public static void chunk(HttpServletRequest request, HttpServletResponse response) {
    if (request.getProtocol().equals("HTTP/1.1")) {
      response.setHeader("Transfer-Encoding", "chunked");
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
    int seconds = ConcurrencyLimits.retrySeconds();
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
