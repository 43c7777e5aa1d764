package io.stockroom.core.webhooks;

import io.stockroom.core.traffic.Redaction;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.Closer;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends one message to a receiver that may be slow, broken or hostile: it connects only to checked
 * addresses, follows no redirect, uses no proxy, and everything that it reads or waits for has a
 * bound. Every connection is used once, so that every delivery looks up the host again.
 */
final class WebhookSender implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WebhookSender.class);

  static final int MAX_KEPT_BYTES = 4096;
  private static final Duration MAX_DURATION = Duration.ofSeconds(15);
  private static final Timeout MAX_CONNECT = Timeout.ofSeconds(5);
  private static final int MAX_HEADER_CHARACTERS = 8192;
  private static final int MAX_HEADERS = 100;
  private static final String USER_AGENT = "Stockroom-Webhooks/1";

  /**
   * What came back.
   *
   * @param status null if there was no response
   * @param error null after a 2xx
   * @param detail what happened, for the person who looks for the reason
   * @param headers one line for each response header, redacted
   * @param body the beginning of the response body, redacted
   */
  record Outcome(
      @Nullable Integer status,
      @Nullable DeliveryError error,
      String detail,
      Duration took,
      String headers,
      String body) {
    private static final int GONE = 410;

    boolean isGone() {
      return status != null && status == GONE;
    }
  }

  /** Read at the first delivery: the certificates would add to every start. */
  private static final class DefaultTrust {
    static final TlsSocketStrategy TLS = DefaultClientTlsStrategy.createDefault();
  }

  private final ReceiverHosts hosts;
  private final CloseableHttpClient client;
  private final ScheduledExecutorService deadlines =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("webhook-deadlines").factory());
  private final Duration maxDuration;

  /** Trusts the certificate authorities of the Java runtime. */
  WebhookSender(ReceiverHosts hosts) {
    this(
        hosts,
        (socket, host, port, attachment, context) ->
            DefaultTrust.TLS.upgrade(socket, host, port, attachment, context),
        MAX_DURATION);
  }

  /** Trusts what the context trusts, and waits as long as it says. */
  WebhookSender(ReceiverHosts hosts, SSLContext trust, Duration maxDuration) {
    this(hosts, new DefaultClientTlsStrategy(trust), maxDuration);
  }

  private WebhookSender(ReceiverHosts hosts, TlsSocketStrategy tls, Duration maxDuration) {
    this.hosts = hosts;
    this.maxDuration = maxDuration;
    Http1Config bounds =
        Http1Config.custom()
            .setMaxLineLength(MAX_HEADER_CHARACTERS)
            .setMaxHeaderCount(MAX_HEADERS)
            .build();
    this.client =
        HttpClients.custom()
            .setConnectionManager(
                PoolingHttpClientConnectionManagerBuilder.create()
                    .setDnsResolver(hosts)
                    .setTlsSocketStrategy(tls)
                    .setDefaultTlsConfig(
                        TlsConfig.custom().setHandshakeTimeout(MAX_CONNECT).build())
                    .setDefaultConnectionConfig(
                        ConnectionConfig.custom()
                            .setConnectTimeout(MAX_CONNECT)
                            .setSocketTimeout(Timeout.of(maxDuration))
                            .build())
                    .setConnectionFactory(
                        ManagedHttpClientConnectionFactory.builder().http1Config(bounds).build())
                    .setMaxConnTotal(Integer.MAX_VALUE)
                    .setMaxConnPerRoute(Integer.MAX_VALUE)
                    .build())
            .setDefaultRequestConfig(
                RequestConfig.custom()
                    .setRedirectsEnabled(false)
                    .setAuthenticationEnabled(false)
                    .setProtocolUpgradeEnabled(false)
                    .build())
            // no time to live: closed after use in an orderly way, while "no reuse" would reset it
            .setConnectionReuseStrategy((_, _, _) -> true)
            .setKeepAliveStrategy((_, _) -> null)
            .setUserAgent(USER_AGENT)
            .disableRedirectHandling()
            .disableAutomaticRetries()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableContentCompression()
            .build();
  }

  ReceiverHosts hosts() {
    return hosts;
  }

  /** Never throws for what the receiver does. */
  Outcome send(URI url, Map<String, String> headers, byte[] body) {
    long start = System.nanoTime();
    HttpPost request = new HttpPost(url);
    headers.forEach(request::addHeader);
    request.addHeader("Connection", "close");
    request.setEntity(new ByteArrayEntity(body, ContentType.APPLICATION_JSON));
    AtomicBoolean late = new AtomicBoolean();
    Future<?> deadline =
        deadlines.schedule(
            () -> {
              late.set(true);
              request.abort();
            },
            maxDuration.toMillis(),
            TimeUnit.MILLISECONDS);
    Received received = new Received();
    try {
      receive(request, received);
      boolean isSuccess = received.status >= 200 && received.status < 300;
      DeliveryError error = isSuccess ? null : DeliveryError.STATUS;
      String detail = error == null ? "" : error.sentence() + " " + received.status;
      return received.outcome(error, detail, start);
    } catch (IOException failure) {
      DeliveryError error = late.get() ? DeliveryError.TIMEOUT : error(failure);
      return received.outcome(error, detail(error, failure), start);
    } finally {
      deadline.cancel(false);
    }
  }

  /** The parts of the response that have arrived. */
  private static final class Received {
    private int status;
    private final List<String> headers = new ArrayList<>();
    private String body = "";

    private Outcome outcome(@Nullable DeliveryError error, String detail, long start) {
      return new Outcome(
          status == 0 ? null : status,
          error,
          detail,
          Duration.ofNanos(System.nanoTime() - start),
          String.join("\n", headers),
          body);
    }
  }

  private void receive(HttpPost request, Received received) throws IOException {
    ClassicHttpResponse response = client.executeOpen(null, request, null);
    boolean isWhole = false;
    try {
      received.status = response.getCode();
      for (Header header : response.getHeaders()) {
        received.headers.add(
            header.getName() + ": " + Redaction.header(header.getName(), header.getValue()));
      }
      byte[] body = beginning(response.getEntity());
      isWhole = body.length < MAX_KEPT_BYTES;
      received.body = text(body);
    } finally {
      if (!isWhole) {
        // else closing would read the rest of the response, however long it is
        request.abort();
      }
      Closer.closeQuietly(response);
    }
  }

  private static byte[] beginning(@Nullable HttpEntity entity) throws IOException {
    if (entity == null) {
      return new byte[0];
    }
    InputStream content = entity.getContent();
    return content == null ? new byte[0] : content.readNBytes(MAX_KEPT_BYTES);
  }

  /** PostgreSQL stores no NUL. */
  private static String text(byte[] bytes) {
    return Redaction.text(new String(bytes, StandardCharsets.UTF_8).replace('\0', '\uFFFD'));
  }

  private static DeliveryError error(IOException failure) {
    return switch (failure) {
      case UnknownHostException _ -> DeliveryError.HOST;
      case SSLException _ -> DeliveryError.TLS;
      case InterruptedIOException _ -> DeliveryError.TIMEOUT;
      case ConnectException _ -> DeliveryError.CONNECT;
      case NoRouteToHostException _ -> DeliveryError.CONNECT;
      case ClientProtocolException _ -> DeliveryError.RESPONSE;
      case MessageConstraintException _ -> DeliveryError.RESPONSE;
      default -> DeliveryError.CLOSED;
    };
  }

  private static String detail(DeliveryError error, IOException failure) {
    String message = failure.getMessage();
    return switch (error) {
      // their messages contain the addresses of the host
      case HOST, CONNECT, TIMEOUT -> error.sentence();
      case STATUS, TLS, RESPONSE, CLOSED ->
          message == null
              ? error.sentence()
              : error.sentence() + ": " + message.replace('\0', '\uFFFD');
    };
  }

  /** Cuts all connections. */
  @Override
  public void close() {
    deadlines.shutdownNow();
    hosts.close();
    try {
      client.close();
    } catch (IOException impossible) {
      log.warn("the webhook client did not close: {}", impossible.getMessage());
    }
  }
}
