package io.stockroom.lab.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A proxy between a server and its database. It can hold back all traffic, slow it down, cut every
 * connection, and drop the COMMIT of a transaction that contains a given text.
 */
final class PostgresProxy implements AutoCloseable {
  /** How a COMMIT gets lost; the server cannot tell the difference. */
  enum Loss {
    /** The database never receives it and rolls back. */
    REQUEST,
    /** The database commits, and its reply is dropped. */
    REPLY
  }

  private final Laboratory laboratory;
  private final ServerSocket listener;
  private final int target;
  private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
  private final Map<String, Loss> armed = new ConcurrentHashMap<>();
  private final Set<String> struck = ConcurrentHashMap.newKeySet();
  private final Object gate = new Object();
  private boolean held;
  private volatile Duration delay = Duration.ZERO;

  /** A proxy before a database. */
  static PostgresProxy before(Laboratory laboratory, Postgres postgres) {
    return laboratory
        .spares()
        .proxy(postgres.port())
        .orElseGet(() -> new PostgresProxy(laboratory, postgres.port()));
  }

  private PostgresProxy(Laboratory laboratory, int target) {
    this.laboratory = laboratory;
    this.target = target;
    try {
      listener = new ServerSocket(laboratory.newPort(), 200, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  int target() {
    return target;
  }

  /** The JDBC URL of the database behind it. */
  String url() {
    return Postgres.url("127.0.0.1:" + listener.getLocalPort());
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        ProxiedConnection connection =
            new ProxiedConnection(
                this, client, new Socket(InetAddress.getLoopbackAddress(), target));
        connections.add(connection);
        connection.start(() -> connections.remove(connection));
      } catch (IOException e) {
        // the database is down, or the run is over; the next login decides
        Await.pause(Duration.ofMillis(5));
      }
    }
  }

  /** Drops the COMMIT of the next transaction that contains {@code text}. */
  void arm(String text, Loss loss) {
    struck.remove(text);
    armed.put(text, loss);
  }

  /** Whether that COMMIT was dropped. */
  boolean hasStruck(String text) {
    return struck.contains(text);
  }

  Map<String, Loss> armed() {
    return armed;
  }

  void strike(String text) {
    armed.remove(text);
    struck.add(text);
  }

  /** Holds back all traffic in both directions while all connections stay open. */
  void hold(boolean on) {
    synchronized (gate) {
      held = on;
      gate.notifyAll();
    }
  }

  void delay(Duration time) {
    delay = time;
  }

  void awaitFlow() throws InterruptedException {
    synchronized (gate) {
      while (held) {
        gate.wait();
      }
    }
    if (!delay.isZero()) {
      Await.pause(delay);
    }
  }

  /** Closes every connection at once. */
  void cutAll() {
    connections.forEach(ProxiedConnection::close);
  }

  /** In a short run it stays, because servers that do so may know it. */
  @Override
  public void close() {
    if (laboratory.brief()) {
      laboratory.spares().leave(this);
      return;
    }
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    hold(false);
    cutAll();
  }
}
