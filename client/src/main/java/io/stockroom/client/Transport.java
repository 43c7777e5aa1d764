package io.stockroom.client;

import io.stockroom.protocol.Language;
import io.stockroom.protocol.Signature;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Signs one request, sends it once, and returns the response. */
final class Transport implements AutoCloseable {
  /** Far more than any response of the interface: a page has at most 1000 products. */
  private static final int MAX_BYTES = 16 * 1024 * 1024;

  private static final System.Logger LOG = System.getLogger("io.stockroom.client");
  private static final String USER_AGENT =
      "stockroom-java/%s (Java %s)".formatted(version(), Runtime.version().feature());

  /**
   * A response whose headers have arrived. It is kept separately, because the HTTP client's own
   * result may fail before the body subscriber learns of the failure.
   */
  private record Begun(HttpResponse.ResponseInfo info, BoundedBody body) {}

  private final URI base;
  private final Credentials credentials;
  private final SignatureMethod method;
  private final Language language;
  private final Duration timeout;
  private final HttpClient http;
  private final boolean closeHttp;
  private final AtomicBoolean closed;

  Transport(
      URI base,
      Credentials credentials,
      SignatureMethod method,
      Language language,
      Duration timeout,
      HttpClient http,
      boolean closeHttp) {
    this(base, credentials, method, language, timeout, http, closeHttp, new AtomicBoolean(false));
  }

  private Transport(
      URI base,
      Credentials credentials,
      SignatureMethod method,
      Language language,
      Duration timeout,
      HttpClient http,
      boolean closeHttp,
      AtomicBoolean closed) {
    this.base = base;
    this.credentials = credentials;
    this.method = method;
    this.language = language;
    this.timeout = timeout;
    this.http = http;
    this.closeHttp = closeHttp;
    this.closed = closed;
  }

  /** The same connections with another timeout. It ends with this one. */
  Transport withTimeout(Duration other) {
    return new Transport(base, credentials, method, language, other, http, false, closed);
  }

  Reply send(OutgoingCall call, Instant signedAt) {
    if (closed.get()) {
      throw new IllegalStateException("The client is closed; build a new one.");
    }
    URI address = URI.create(base + call.path());
    Duration own = call.timeout();
    Duration allowed = (own == null ? timeout : own).plus(call.serverWait());
    long began = System.nanoTime();
    AtomicReference<@Nullable Begun> begun = new AtomicReference<>();
    CompletableFuture<HttpResponse<BoundedBody.Body>> answer =
        http.sendAsync(
            request(address, call, signedAt),
            info -> {
              BoundedBody body = new BoundedBody(MAX_BYTES);
              begun.set(new Begun(info, body));
              return body;
            });
    try {
      // not the request's own timeout, which ends with the headers: a slow body could last forever
      HttpResponse<BoundedBody.Body> response = answer.get(allowed.toNanos(), TimeUnit.NANOSECONDS);
      Reply reply =
          new Reply(address.toString(), response.statusCode(), response.headers(), response.body());
      log(call, reply, began);
      return reply;
    } catch (TimeoutException late) {
      answer.cancel(true);
      throw late(address, allowed, late);
    } catch (InterruptedException interrupted) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new CallInterruptedException(
          "Interrupted while waiting for the response of %s.".formatted(address), interrupted);
    } catch (ExecutionException failed) {
      Begun cut = begun.get();
      if (cut != null) {
        return new Reply(
            address.toString(), cut.info.statusCode(), cut.info.headers(), cut.body.soFar());
      }
      throw noAnswer(address, allowed, failed.getCause() == null ? failed : failed.getCause());
    }
  }

  /** Writes neither headers nor bodies, which have secrets and the merchant's data. */
  private static void log(OutgoingCall call, Reply reply, long began) {
    if (LOG.isLoggable(Level.DEBUG)) {
      LOG.log(
          Level.DEBUG,
          "POST {0}: {1} in {2} ms, request {3}",
          call.path(),
          Integer.toString(reply.status()),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began),
          String.valueOf(reply.header("X-Request-Id")));
    }
  }

  /** Logs that a failed call is sent again. */
  void logRetry(OutgoingCall call, StockroomException failure) {
    LOG.log(
        Level.INFO,
        () ->
            credentials.redact(
                "POST %s is sent again after: %s".formatted(call.path(), failure.getMessage())));
  }

  private HttpRequest request(URI address, OutgoingCall call, Instant signedAt) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", call.contentType())
            .header("Accept", "application/json")
            .header("Accept-Language", language.tag())
            .header("User-Agent", USER_AGENT)
            .POST(
                call.file() == null
                    ? BodyPublishers.ofByteArray(call.body())
                    : call.file().publisher());
    String query = address.getRawQuery();
    String path = address.getRawPath() + (query == null ? "" : "?" + query);
    Map<String, String> headers =
        switch (method) {
          case MD5 -> credentials.headers(signedAt);
          case HMAC_SHA256 ->
              credentials.headersOf(
                  signedAt,
                  "POST",
                  path,
                  call.file() == null ? Signature.bodyHash(call.body()) : call.file().hash(),
                  call.idempotencyKey() == null ? "" : call.idempotencyKey());
        };
    if (call.file() != null) {
      request.header("Content-Digest", call.file().contentDigest());
    }
    headers.forEach(request::header);
    if (call.idempotencyKey() != null) {
      request.header("Idempotency-Key", call.idempotencyKey());
    }
    return request.build();
  }

  private static NoAnswerException noAnswer(URI address, Duration allowed, Throwable cause) {
    if (cause instanceof HttpConnectTimeoutException) {
      return unreachable(address, "the connection timed out", cause);
    }
    if (cause instanceof HttpTimeoutException) {
      return late(address, allowed, cause);
    }
    if (cause instanceof ConnectException) {
      return isUnknownName(cause)
          ? unreachable(address, "the host %s is unknown".formatted(address.getHost()), cause)
          : unreachable(address, "the connection was refused", cause);
    }
    return new NoAnswerException(
        "The connection to %s failed before a response arrived: %s."
            .formatted(address, String.valueOf(cause.getMessage())),
        cause,
        false);
  }

  private static boolean isUnknownName(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return true;
      }
    }
    return false;
  }

  private static NoAnswerException unreachable(URI address, String reason, Throwable cause) {
    return new NoAnswerException(
        "%s cannot be reached: %s. Check the URL and whether the server is running."
            .formatted(address, reason),
        cause,
        true);
  }

  private static NoAnswerException late(URI address, Duration allowed, Throwable cause) {
    return new NoAnswerException(
        "%s did not respond within %s seconds.".formatted(address, seconds(allowed)), cause, false);
  }

  private static String seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString();
  }

  private static String version() {
    String version = Transport.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  /** Closes the connections that this client opened; a given HTTP client stays open. */
  @Override
  public void close() {
    closed.set(true);
    // since Java 21 an HTTP client can be closed; before, it ends when it is garbage-collected
    if (closeHttp && (Object) http instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception failed) {
        throw new IllegalStateException("The HTTP client could not be closed.", failed);
      }
    }
  }
}
