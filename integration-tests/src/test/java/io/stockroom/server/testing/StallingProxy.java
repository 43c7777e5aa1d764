package io.stockroom.server.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A proxy between a server and its database that can withhold all data without closing connections,
 * or close all connections, as if the database was stopped.
 */
public final class StallingProxy implements AutoCloseable {
  private final ServerSocket listener;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Object gate = new Object();
  private boolean stalled;
  private volatile boolean refusing;

  public StallingProxy(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  public void stall(boolean on) {
    synchronized (gate) {
      stalled = on;
      gate.notifyAll();
    }
  }

  public void refuse(boolean on) throws IOException {
    refusing = on;
    if (on) {
      closeSockets();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        if (refusing) {
          client.close();
          continue;
        }
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(client);
        sockets.add(server);
        Thread.ofVirtual().start(() -> pass(client, server));
        Thread.ofVirtual().start(() -> pass(server, client));
      }
    } catch (IOException closed) {
      // the test has ended
    }
  }

  private void pass(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[65_536];
      for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
        awaitFlow();
        out.write(buffer, 0, count);
      }
    } catch (IOException closed) {
      // one side closed, so close the other
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitFlow() throws InterruptedException {
    synchronized (gate) {
      while (stalled) {
        gate.wait();
      }
    }
  }

  private void closeSockets() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  @Override
  public void close() {
    stall(false);
    try {
      listener.close();
      closeSockets();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
