package io.stockroom.server;

import io.stockroom.server.http.BoundedProtocol;
import io.stockroom.server.http.Door;
import io.stockroom.server.http.JsonErrorValve;
import io.stockroom.server.http.StrictHttpValve;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;

/** Bounds what a connection may send, and answers what Tomcat itself refuses in our words. */
final class TomcatBounds implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
  private static final int MOST_HEADERS = 64;

  /** A connection that finds no room here is tried again by its client a second later. */
  private static final int MOST_UNACCEPTED = 1024;

  private final int connections;
  private final Door door;

  TomcatBounds(int connections, Door door) {
    this.connections = connections;
    this.door = door;
  }

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    factory.setProtocol(BoundedProtocol.class.getName());
    factory.addEngineValves(new StrictHttpValve());
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
      http.setMaxHeaderCount(MOST_HEADERS);
      http.setMaxConnections(connections);
      http.setAcceptCount(MOST_UNACCEPTED);
      // what a connection needs is used again: else those that come and go fast are the collector's
      http.setProcessorCache(connections);
      http.setProperty("socket.bufferPool", Integer.toString(connections));
      // as Tomcat's own for virtual threads, which starts each by reflection
      http.setExecutor(task -> Thread.ofVirtual().name("call").start(task));
      http.guard(door);
    }
  }
}
