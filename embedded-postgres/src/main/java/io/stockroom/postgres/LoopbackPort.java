package io.stockroom.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;

/**
 * Finds a free loopback port below the ephemeral range: a restarted PostgreSQL needs the same port,
 * and no outgoing connection may have taken it.
 */
final class LoopbackPort {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int FIRST = 15_000;
  private static final int LAST = 31_999;
  private static final int ATTEMPTS = 50;

  private LoopbackPort() {}

  static int choose() throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = RANDOM.nextInt(FIRST, LAST + 1);
      if (isFree(port)) {
        return port;
      }
    }
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
