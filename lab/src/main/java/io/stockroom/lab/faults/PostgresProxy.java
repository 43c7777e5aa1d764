package io.stockroom.lab.faults;

import io.stockroom.lab.Await;
import io.stockroom.lab.DirectSql;
import io.stockroom.lab.Laboratory;
import io.stockroom.lab.Postgres;
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
 * A proxy between a server and its database. It can drop the COMMIT of a transaction that contains
 * a given text.
 */
final class PostgresProxy {
  /** How a COMMIT gets lost; the server cannot tell the difference. */
  enum Loss {
    /** The database never receives it and rolls back. */
    REQUEST,
    /** The database commits, and its reply is dropped. */
    REPLY
  }

  private final ServerSocket listener;
  private final int target;
  private final Map<String, Loss> armed = new ConcurrentHashMap<>();
  private final Set<String> struck = ConcurrentHashMap.newKeySet();

  /** A proxy before a database. */
  PostgresProxy(Laboratory laboratory, Postgres postgres) {
    this.target = postgres.port();
    try {
      listener = new ServerSocket(laboratory.newPort(), 200, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var _ = Thread.ofPlatform().daemon().start(this::accept);
  }

  /** The JDBC URL of the database behind it. */
  String url() {
    return DirectSql.url("127.0.0.1:" + listener.getLocalPort());
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        ProxiedConnection connection =
            new ProxiedConnection(
                this, client, new Socket(InetAddress.getLoopbackAddress(), target));
        connection.start();
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
}
