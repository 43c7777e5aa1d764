package io.stockroom.server;

import io.stockroom.core.database.StartException;
import io.stockroom.core.http.BoundedProtocol;
import io.stockroom.core.http.JsonErrorValve;
import io.stockroom.core.http.StrictHttpValve;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.core.StandardWrapper;
import org.apache.catalina.session.StandardManager;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.apache.tomcat.util.modeler.Registry;

/**
 * A Tomcat with one port. It limits what a connection may send, and writes the responses to
 * requests that Tomcat rejects.
 */
final class WebServer implements AutoCloseable {
  private static final Duration MAX_FINISHING = Duration.ofSeconds(20);
  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);
  private static final int MAX_HEADER_BYTES = 16 * 1024;
  private static final int MAX_HEADERS = 64;

  /** A body that is too large is read to its end, so that its sender can read the response. */
  private static final int MAX_SWALLOW = 8 * 1024 * 1024;

  /** The accept backlog. When it is full, clients retry their connection after a second. */
  private static final int MAX_UNACCEPTED = 1024;

  static {
    // both are for servers with deployed applications, and take time at startup
    TomcatURLStreamHandlerFactory.disable();
    Registry.disableRegistry();
  }

  private final Tomcat tomcat = new Tomcat();
  private final BoundedProtocol http = new BoundedProtocol();
  private final Connector connector = new Connector(http);
  private final StandardContext context;
  private final Path folder;
  private final int port;

  WebServer(String address, int port, int maxConnections, Executor threads) {
    this.port = port;
    try {
      folder = Files.createTempDirectory("stockroom-web");
      http.setAddress(InetAddress.getByName(address));
    } catch (UnknownHostException unknown) {
      throw new StartException("The address %s is not known.".formatted(address), unknown);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    limit(maxConnections);
    http.setExecutor(threads);
    connector.setPort(port);
    connector.setThrowOnFailure(true);
    // clients connect only after everything has started
    connector.setProperty("bindOnInit", "false");
    tomcat.setBaseDir(folder.toString());
    tomcat.setConnector(connector);
    tomcat.getEngine().getPipeline().addValve(new StrictHttpValve());
    if (tomcat.getHost() instanceof StandardHost host) {
      host.setAutoDeploy(false);
      host.setErrorReportValveClass(JsonErrorValve.class.getName());
    }
    context = (StandardContext) tomcat.addContext("", folder.toString());
    context.setParentClassLoader(WebServer.class.getClassLoader());
    // the classes are the server's own
    context.setDelegate(true);
    // a redirect of the console must not guess how a proxy is reached
    context.setUseRelativeRedirects(true);
    context.setClearReferencesRmiTargets(false);
    context.setClearReferencesThreadLocals(false);
    StandardManager sessions = new StandardManager();
    sessions.setPathname(null);
    context.setManager(sessions);
  }

  private void limit(int maxConnections) {
    http.setConnectionTimeout((int) CONNECTION_TIMEOUT.toMillis());
    http.setKeepAliveTimeout((int) KEEP_ALIVE.toMillis());
    http.setMaxKeepAliveRequests(-1);
    http.setMaxHttpRequestHeaderSize(MAX_HEADER_BYTES);
    http.setMaxSwallowSize(MAX_SWALLOW);
    http.setMaxHeaderCount(MAX_HEADERS);
    http.setMaxConnections(maxConnections);
    http.setAcceptCount(MAX_UNACCEPTED);
    // reuse the objects of a connection, so many short connections do not burden the garbage
    // collector
    http.setProcessorCache(maxConnections);
    http.setProperty("socket.bufferPool", Integer.toString(maxConnections));
    // outside the heap: sockets read and write there without a copy, and collections skip it
    http.setProperty("socket.directBuffer", "true");
  }

  BoundedProtocol http() {
    return http;
  }

  Connector connector() {
    return connector;
  }

  /** Serves these paths; initializes the servlet when the server starts. */
  void serve(Servlet servlet, String... paths) {
    add(servlet, paths).setLoadOnStartup(1);
  }

  /** Serves these paths; initializes the servlet at its first request. */
  void serveLazily(Servlet servlet, String... paths) {
    add(servlet, paths);
  }

  private Wrapper add(Servlet servlet, String... paths) {
    Wrapper wrapper = Tomcat.addServlet(context, servlet.getClass().getSimpleName(), servlet);
    wrapper.setAsyncSupported(true);
    for (String path : paths) {
      context.addServletMapping(path, wrapper.getName());
    }
    return wrapper;
  }

  /** Passes every request through the filter. */
  void filter(Filter filter) {
    FilterDef definition = new FilterDef();
    definition.setFilter(filter);
    definition.setFilterName(filter.getClass().getName());
    definition.setAsyncSupported("true");
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName(definition.getFilterName());
    map.addURLPattern("/*");
    context.addFilterMap(map);
  }

  void start() {
    try {
      tomcat.start();
    } catch (LifecycleException failure) {
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
    if (!context.getState().isAvailable()) {
      throw new IllegalStateException("The servlets could not be started.");
    }
  }

  int port() {
    return connector.getLocalPort();
  }

  /** Accepts no more requests, lets those in progress finish, and stops. */
  @Override
  public void close() {
    try {
      connector.pause();
      http.closeServerSocketGraceful();
      awaitIdle();
      tomcat.stop();
      tomcat.destroy();
    } catch (LifecycleException failure) {
      throw new IllegalStateException(failure);
    } finally {
      delete(folder);
    }
  }

  private void awaitIdle() {
    long deadline = System.nanoTime() + MAX_FINISHING.toNanos();
    while (isBusy()
        && System.nanoTime() - deadline < 0
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private boolean isBusy() {
    return context.getInProgressAsyncCount() > 0
        || Arrays.stream(context.findChildren())
            .anyMatch(
                servlet ->
                    servlet instanceof StandardWrapper wrapper && wrapper.getCountAllocated() > 0);
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException leftToTheSystem) {
      // a temporary folder
    }
  }
}
