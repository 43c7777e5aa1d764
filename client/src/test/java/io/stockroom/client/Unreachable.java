package io.stockroom.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A URL where nothing listens; the port stays bound so that no other process gets it. */
final class Unreachable implements AutoCloseable {
  private final Socket taken = new Socket();

  Unreachable() throws IOException {
    taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  int port() {
    return taken.getLocalPort();
  }

  String address() {
    return "http://127.0.0.1:" + port();
  }

  @Override
  public void close() throws IOException {
    taken.close();
  }
}
