package io.stockroom.server;

import io.stockroom.core.admission.AdmissionEndpoint;
import io.stockroom.core.http.BoundedProtocol;
import io.stockroom.core.http.JsonErrorValve;
import io.stockroom.core.http.OverloadResponse;
import io.stockroom.core.http.Routes;
import io.stockroom.core.http.StrictHttpValve;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;

/** Bounds what a connection may send, and answers what Tomcat itself refuses in our words. */
final class TomcatBounds implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
  private static final int MAX_HEADERS = 64;

  /** A connection that finds no room here is tried again by its client a second later. */
  private static final int MAX_UNACCEPTED = 1024;

  /** Commands, probes and scrapes: few, and each may take a thread. */
  private static final int MAX_ADMIN_CONNECTIONS = 256;

  private final int connections;
  private final Executor threads;
  private final Consumer<BoundedProtocol> admission;

  private TomcatBounds(int connections, Executor threads, Consumer<BoundedProtocol> admission) {
    this.connections = connections;
    this.threads = threads;
    this.admission = admission;
  }

  static TomcatBounds ofInterface(int connections, Routes routes, OverloadResponse overloaded) {
    // as Tomcat's own for virtual threads, which starts each by reflection
    return new TomcatBounds(
        connections,
        task -> AdmissionEndpoint.CALLS.newThread(task).start(),
        http -> http.admit(routes, overloaded));
  }

  /** Platform threads: a virtual one would queue behind all calls, and a health check must not. */
  static TomcatBounds ofAdminPort() {
    return new TomcatBounds(
        MAX_ADMIN_CONNECTIONS,
        task -> Thread.ofPlatform().daemon().name("admin").start(task),
        _ -> {});
  }

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    factory.setProtocol(BoundedProtocol.class.getName());
    factory.addEngineValves(new StrictHttpValve());
    // errors are written by the valve below
    factory.setErrorPages(Set.of());
    factory.addContextCustomizers(
        context -> {
          if (context.getParent() instanceof StandardHost host) {
            host.setErrorReportValveClass(JsonErrorValve.class.getName());
          }
        });
    factory.addConnectorCustomizers(this::bound);
  }

  private void bound(Connector connector) {
    if (connector.getProtocolHandler() instanceof BoundedProtocol http) {
      http.setMaxHeaderCount(MAX_HEADERS);
      http.setMaxConnections(connections);
      http.setAcceptCount(MAX_UNACCEPTED);
      // what a connection needs is used again: else those that come and go fast are the collector's
      http.setProcessorCache(connections);
      http.setProperty("socket.bufferPool", Integer.toString(connections));
      http.setExecutor(threads);
      admission.accept(http);
    }
  }
}
