package io.stockroom.core.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.NegotiatingServerConnection;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Closes connections that take longer than five seconds for the header of a request, or for the
 * handshake of TLS. Jetty's idle time begins again with every byte.
 */
final class LateConnections extends Handler.Wrapper implements Connection.Listener {
  private static final Duration MAX_TIME = Duration.ofSeconds(5);
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  /**
   * A connection when it last had no part of a header.
   *
   * @param bytes how many bytes it had received
   */
  private record Idle(long bytes, long nanos) {
    static Idle now(Connection connection) {
      return new Idle(connection.getBytesIn(), System.nanoTime());
    }
  }

  /** The connections without a request. */
  private final Map<Connection, Idle> idle = new ConcurrentHashMap<>();

  LateConnections(Handler handler) {
    super(handler);
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    lookLater();
  }

  private void lookLater() {
    getServer()
        .getScheduler()
        .schedule(this::closeLate, LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void onOpened(Connection connection) {
    boolean isHttp =
        connection instanceof ConnectionMetaData http
            // its streams have their own bounds
            && http.getHttpVersion() != HttpVersion.HTTP_2;
    if (isHttp || connection instanceof NegotiatingServerConnection) {
      idle.put(connection, Idle.now(connection));
    }
  }

  @Override
  public void onClosed(Connection connection) {
    idle.remove(connection);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Connection connection = request.getConnectionMetaData().getConnection();
    if (idle.remove(connection) == null) {
      return super.handle(request, response, callback);
    }
    return super.handle(
        request,
        response,
        new Callback.Nested(callback) {
          @Override
          public void succeeded() {
            // before the connection reads its next request
            idle.put(connection, Idle.now(connection));
            super.succeeded();
          }
        });
  }

  private void closeLate() {
    idle.forEach(
        (connection, before) -> {
          boolean isWaitedFor =
              connection instanceof NegotiatingServerConnection
                  || connection.getBytesIn() > before.bytes;
          if (!isWaitedFor) {
            idle.replace(connection, before, Idle.now(connection));
          } else if (System.nanoTime() - before.nanos > MAX_TIME.toNanos()) {
            connection.getEndPoint().close();
          }
        });
    if (isRunning()) {
      lookLater();
    }
  }
}
