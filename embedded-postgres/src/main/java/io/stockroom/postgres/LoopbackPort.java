package io.stockroom.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds a loopback port: the one that PostgreSQL had at its last start, because a cell may be
 * there, or a free one below the ephemeral range. A restarted PostgreSQL needs the same port, and
 * no outgoing connection may have taken it.
 */
final class LoopbackPort {
  private static final Logger LOG = LoggerFactory.getLogger(LoopbackPort.class);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int FIRST = 15_000;
  private static final int LAST = 31_999;
  private static final int ATTEMPTS = 50;

  private LoopbackPort() {}

  /**
   * @param last the port of the last start; 0 if it is unknown
   */
  static int choose(int last) throws IOException {
    if (last > 0 && isFree(last)) {
      return last;
    }
    if (last > 0) {
      LOG.warn(
          "Another program listens on port {}, on which PostgreSQL was before. If a cell has this"
              + " address, its merchants are answered 503: free the port, and restart.",
          last);
    }
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
