package io.stockroom.core.http;

import io.stockroom.core.database.StartException;
import jakarta.servlet.Servlet;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * A Jetty with one port: its settings, and its handlers. Handlers run on the thread that parsed the
 * request and must not wait; what may wait starts a thread.
 */
public final class WebServer implements AutoCloseable {
  private static final Duration MAX_FINISHING = Duration.ofSeconds(20);
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);

  /** Between two parts of a body, and between two parts of a response that a client reads. */
  private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

  /** When no connections are left, those that are idle for this long make room for others. */
  private static final Duration KEEP_ALIVE_WHEN_FULL = Duration.ofSeconds(2);

  private static final int MAX_HEADER_BYTES = 16 * 1024;

  /** Most requests fit; thousands of waiting connections keep theirs. */
  private static final int READ_BUFFER = 4 * 1024;

  /** The accept backlog. When it is full, clients retry their connection after a second. */
  private static final int MAX_UNACCEPTED = 1024;

  private static final Duration TRANSPORT_SECURITY = Duration.ofDays(365);

  /** Protects nothing: the store exists only in memory. */
  public static final String STORE_PASSWORD = "memory";

  /** Those of TLS 1.3, and of TLS 1.2 what is as good: forward secrecy and authenticated. */
  private static final String[] CIPHERS = {
    "TLS_AES_256_GCM_SHA384",
    "TLS_AES_128_GCM_SHA256",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"
  };

  private final Server server;
  private final ServerConnector connector;
  private final ServletContextHandler servlets = new ServletContextHandler("/", false, false);
  private final Handler.Sequence handlers = new Handler.Sequence(false, List.of());
  private final ThreadForEach onThreads;
  private final SslContextFactory.@Nullable Server tls;
  private final int port;

  /**
   * A server that is not started.
   *
   * @param tls null to serve without TLS
   * @param threads makes the thread of each request to a servlet
   */
  public WebServer(
      String address, int port, int maxConnections, @Nullable KeyStore tls, ThreadFactory threads) {
    this.port = port;
    try {
      var _ = InetAddress.getByName(address);
    } catch (UnknownHostException unknown) {
      throw new StartException("The address %s is not known.".formatted(address), unknown);
    }
    this.server = new Server(new QueuedThreadPool(200, 4));
    HttpConfiguration http = http();
    this.tls = tls == null ? null : tls(tls);
    this.connector = new ServerConnector(server, 1, 1, protocols(http, this.tls));
    connector.setHost(address);
    connector.setPort(port);
    connector.setIdleTimeout(KEEP_ALIVE.toMillis());
    connector.setAcceptQueueSize(MAX_UNACCEPTED);
    server.addConnector(connector);
    NetworkConnectionLimit limit = new NetworkConnectionLimit(maxConnections, server);
    limit.setEndPointIdleTimeout(KEEP_ALIVE_WHEN_FULL.toMillis());
    server.addBean(limit);
    LateConnections late = new LateConnections(new BoundedBody(handlers));
    connector.addBean(late);
    server.setHandler(new LastRequests(late));
    server.setErrorHandler(new JsonErrors());
    servlets.setErrorHandler(new JsonErrors());
    server.setStopTimeout(MAX_FINISHING.toMillis());
    this.onThreads = new ThreadForEach(threads, servlets);
    handlers.addHandler(onThreads);
  }

  private static HttpConfiguration http() {
    HttpConfiguration http = new HttpConfiguration();
    // what a proxy might read differently is 400, so that no request can hide in another
    http.setHttpCompliance(HttpCompliance.STRICT);
    http.setUriCompliance(UriCompliance.DEFAULT);
    http.addCustomizer(new StrictRequests());
    // else a connection takes a key or a token for the last one that differs only in case
    http.setHeaderCacheCaseSensitive(true);
    http.setRequestHeaderSize(MAX_HEADER_BYTES);
    http.setInputBufferSize(READ_BUFFER);
    http.setIdleTimeout(MAX_PAUSE.toMillis());
    // says nothing about the server
    http.setSendServerVersion(false);
    // a redirect of the console must not guess how a proxy is reached
    http.setRelativeRedirectAllowed(true);
    return http;
  }

  private static ConnectionFactory[] protocols(
      HttpConfiguration http, SslContextFactory.@Nullable Server tls) {
    if (tls == null) {
      return new ConnectionFactory[] {new HttpConnectionFactory(http)};
    }
    // clients check the certificate; they may know the server by another name
    SecureRequestCustomizer secure = new SecureRequestCustomizer(false);
    secure.setStsMaxAge(TRANSPORT_SECURITY.toSeconds());
    http.addCustomizer(secure);
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
    alpn.setDefaultProtocol(HttpVersion.HTTP_1_1.asString());
    return new ConnectionFactory[] {
      new SslConnectionFactory(tls, alpn.getProtocol()),
      alpn,
      new HTTP2ServerConnectionFactory(http),
      new HttpConnectionFactory(http)
    };
  }

  private static SslContextFactory.Server tls(KeyStore keys) {
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setKeyStore(keys);
    tls.setKeyStorePassword(STORE_PASSWORD);
    tls.setIncludeProtocols("TLSv1.2", "TLSv1.3");
    tls.setIncludeCipherSuites(CIPHERS);
    return tls;
  }

  /** Serves new connections with another certificate. */
  public void reload(KeyStore keys) {
    try {
      if (tls != null) {
        tls.reload(factory -> factory.setKeyStore(keys));
      }
    } catch (Exception unusable) {
      throw new IllegalArgumentException(unusable);
    }
  }

  /** Serves all paths that no servlet has. */
  public void serve(Handler handler) {
    handlers.addHandler(handler);
  }

  /** Serves these paths; initializes the servlet when the server starts. */
  public void serve(Servlet servlet, String... paths) {
    add(servlet, paths).setInitOrder(1);
  }

  /** Serves these paths; initializes the servlet at its first request. */
  public void serveLazily(Servlet servlet, String... paths) {
    add(servlet, paths);
  }

  private ServletHolder add(Servlet servlet, String... paths) {
    ServletHolder holder = new ServletHolder(servlet.getClass().getSimpleName(), servlet);
    holder.setAsyncSupported(true);
    for (String path : paths) {
      servlets.addServlet(holder, path);
      onThreads.add(path);
    }
    return holder;
  }

  public void start() {
    try {
      server.start();
    } catch (Exception failure) {
      Throwable cause = failure;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      if (cause instanceof BindException && String.valueOf(cause.getMessage()).contains("in use")) {
        throw new StartException(
            "Port %d is in use by another program. Stop it, or choose another port with --port."
                .formatted(port));
      }
      throw new IllegalStateException("The web server could not be started.", failure);
    }
  }

  public int port() {
    return connector.getLocalPort();
  }

  /** Accepts no more connections, lets requests in progress finish, and stops. */
  @Override
  public void close() {
    try {
      server.stop();
      server.destroy();
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** A request that arrives while the server stops is answered; then its connection is closed. */
  private static final class LastRequests extends GracefulHandler {
    LastRequests(Handler handler) {
      super(handler);
    }

    @Override
    protected void handleShutdownRejection(Request request, Response response, Callback callback) {
      try {
        if (!getHandler().handle(request, response, callback)) {
          Response.writeError(request, response, callback, 404);
        }
      } catch (Exception failure) {
        Response.writeError(request, response, callback, failure);
      }
    }
  }
}
