package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs inside the server under test and collects the classes whose methods are entered. Each
 * connection receives the names collected since the previous one, one per line.
 */
public final class ExecutedClasses {
  private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

  private ExecutedClasses() {}

  /** Called by every method of the server as its first instruction. */
  public static void enter(String name) {
    SEEN.add(name);
  }

  /** Listens on a free loopback port and writes the port to {@code portFile}. */
  static void serve(Path portFile) throws IOException {
    ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Files.writeString(portFile, Integer.toString(socket.getLocalPort()));
    Thread.ofPlatform().daemon().name("executed-classes").start(() -> answerAll(socket));
  }

  private static void answerAll(ServerSocket socket) {
    while (true) {
      try (Socket client = socket.accept()) {
        String names = String.join("\n", SEEN);
        SEEN.clear();
        client.getOutputStream().write(names.getBytes(UTF_8));
      } catch (IOException gone) {
        // the client disconnected; serve the next one
      }
    }
  }
}
