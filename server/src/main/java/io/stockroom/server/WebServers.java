package io.stockroom.server;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.stockroom.console.ConsoleServlet;
import io.stockroom.core.access.Throttle;
import io.stockroom.core.http.InterfaceHandler;
import io.stockroom.core.http.WebServer;
import io.stockroom.core.settings.Settings;
import io.stockroom.pictures.PicturesServlet;
import io.stockroom.server.admin.AdminServlet;
import io.stockroom.server.apidocs.ApiDocsServlet;
import io.stockroom.server.docs.DocsServlet;
import java.nio.file.Path;
import java.security.KeyStore;
import org.jspecify.annotations.Nullable;

/** The two ports: the interface with the console, and the admin API with health and metrics. */
final class WebServers implements AutoCloseable {
  /** Commands, probes and scrapes are few, and each may use a thread. */
  private static final int MAX_ADMIN_CONNECTIONS = 256;

  private final OpenParts open = new OpenParts();
  private final WebServer admin;
  private final WebServer main;
  private final @Nullable TlsServer tls;

  /** Prepares both, while the database starts. */
  WebServers(Settings settings, @Nullable TlsFiles tls) {
    int port = settings.get(Settings.PORT);
    int adminPort = settings.get(Settings.ADMIN_PORT);
    if (adminPort < 0) {
      adminPort = port == 0 ? 0 : port + 1;
    }
    // platform threads: a virtual thread would queue behind all calls, and a health check must not
    admin =
        open.add(
            new WebServer(
                settings.get(Settings.ADMIN_ADDRESS),
                adminPort,
                MAX_ADMIN_CONNECTIONS,
                null,
                Thread.ofPlatform().daemon().name("admin").factory()));
    KeyStore keys = tls == null ? null : tls.keyStore();
    main =
        open.add(
            new WebServer(
                settings.get(Settings.ADDRESS),
                port,
                settings.get(Settings.MAX_CONNECTIONS),
                keys,
                Thread.ofVirtual().name("page").factory()));
    this.tls = tls == null || keys == null ? null : open.add(new TlsServer(tls, main, keys));
  }

  /** Adds the servlets, and listens on both ports. */
  void start(
      ServerParts parts,
      ConsoleServlet console,
      ServerKeys keys,
      PrometheusMeterRegistry meters,
      Path dataFolder) {
    if (tls != null) {
      tls.register(meters);
    }
    parts.traffic.expect(parts.calls.routes.paths());
    InterfaceHandler calls =
        new InterfaceHandler(
            parts.calls.routes,
            parts.authenticator,
            parts.nonces,
            parts.cells::share,
            parts.addresses,
            parts.languages,
            parts.traffic,
            meters,
            ConsoleServlet.PATH);
    main.serve(calls);
    main.serveLazily(console, ConsoleServlet.PATH + "/*");
    main.serve(new ApiDocsServlet(parts.languages), ApiDocsServlet.PATHS.toArray(String[]::new));
    main.serve(new DocsServlet(parts.languages), DocsServlet.PATHS.toArray(String[]::new));
    main.serve(new PicturesServlet(parts.pictures, parts.languages), PicturesServlet.PATHS);

    Throttle throttle =
        new Throttle(parts.clock, parts.settings.get(Settings.FAILED_AUTHENTICATIONS));
    admin.serve(
        new AdminServlet(
            parts.adminRoutes,
            keys.operator(),
            parts.limits,
            throttle,
            parts.people.failures,
            parts.addresses,
            parts.languages),
        "/admin/*");
    admin.serve(new HealthServlet(parts.health), HealthServlet.PATHS);
    admin.serveLazily(new MetricsServlet(meters, dataFolder), MetricsServlet.PATH);

    main.start();
    String scheme = parts.settings.get(Settings.TLS_CERTIFICATE).isEmpty() ? "http" : "https";
    String host = Settings.host(parts.settings.get(Settings.ADDRESS));
    ConsoleServlet.prepare("%s://%s:%d".formatted(scheme, host, port()));
    // last, because it answers the probes
    admin.start();
  }

  int port() {
    return main.port();
  }

  int adminPort() {
    return admin.port();
  }

  /** Stops the interface first: until the end, probes learn that the node is not ready. */
  @Override
  public void close() {
    open.close();
  }
}
