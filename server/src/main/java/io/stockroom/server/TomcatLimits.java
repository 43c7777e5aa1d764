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

/** Limits what a connection may send, and writes the responses to requests that Tomcat rejects. */
final class TomcatLimits implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
  private static final int MAX_HEADERS = 64;

  /** The accept backlog. When it is full, clients retry their connection after a second. */
  private static final int MAX_UNACCEPTED = 1024;

  /** Commands, probes and scrapes are few, and each may use a thread. */
  private static final int MAX_ADMIN_CONNECTIONS = 256;

  private final int connections;
  private final Executor threads;
  private final Consumer<BoundedProtocol> admission;

  private TomcatLimits(int connections, Executor threads, Consumer<BoundedProtocol> admission) {
    this.connections = connections;
    this.threads = threads;
    this.admission = admission;
  }

  static TomcatLimits ofInterface(int connections, Routes routes, OverloadResponse overloaded) {
    // like Tomcat's own executor for virtual threads, but without reflection for each thread
    return new TomcatLimits(
        connections,
        task -> AdmissionEndpoint.CALLS.newThread(task).start(),
        http -> http.admit(routes, overloaded));
  }

  /**
   * Uses platform threads: a virtual thread would queue behind all calls, and a health check must
   * not.
   */
  static TomcatLimits ofAdminPort() {
    return new TomcatLimits(
        MAX_ADMIN_CONNECTIONS,
        task -> Thread.ofPlatform().daemon().name("admin").start(task),
        _ -> {});
  }

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    factory.setProtocol(BoundedProtocol.class.getName());
    factory.addEngineValves(new StrictHttpValve());
    // the valve below writes errors
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
      // reuse the objects of a connection, so many short connections do not burden the garbage
      // collector
      http.setProcessorCache(connections);
      http.setProperty("socket.bufferPool", Integer.toString(connections));
      http.setExecutor(threads);
      admission.accept(http);
    }
  }
}
