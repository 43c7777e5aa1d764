package io.stockroom.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy that loses responses: the server does its work and responds, but the client's connection
 * closes before the first byte.
 */
final class CuttingProxy implements AutoCloseable {
  private final ServerSocket socket;
  private final URI server;
  private final AtomicInteger toLose = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();

  CuttingProxy(String server) {
    this.server = URI.create(server);
    try {
      socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  String address() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  CuttingProxy lose(int answers) {
    toLose.set(answers);
    return this;
  }

  int lost() {
    return lost.get();
  }

  private void accept() {
    while (true) {
      try {
        Socket client = socket.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket behind = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
      Thread.ofVirtual().start(() -> forward(client, behind));
      InputStream answers = behind.getInputStream();
      OutputStream out = client.getOutputStream();
      byte[] part = new byte[8192];
      for (int length = answers.read(part); length >= 0; length = answers.read(part)) {
        if (toLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
          lost.incrementAndGet();
          return;
        }
        out.write(part, 0, length);
        out.flush();
      }
    } catch (IOException ended) {
      // one side closed its connection; close the other
    }
  }

  private static void forward(Socket from, Socket to) {
    try {
      var _ = from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException ended) {
      // the other direction closes both
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
