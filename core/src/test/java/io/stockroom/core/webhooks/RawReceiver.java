package io.stockroom.core.webhooks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ServerSocketFactory;

/** A receiver on this machine that answers as the test says, well or badly. */
final class RawReceiver implements AutoCloseable {
  /** Answers one request. */
  interface Script {
    void answer(Socket socket, OutputStream out) throws IOException, InterruptedException;
  }

  private final ServerSocket server;
  private final Script script;
  private final List<String> requests = new CopyOnWriteArrayList<>();

  RawReceiver(Script script) {
    this(ServerSocketFactory.getDefault(), script);
  }

  RawReceiver(ServerSocketFactory sockets, Script script) {
    this.script = script;
    try {
      server = sockets.createServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  /** Answers every request with this text. */
  static RawReceiver saying(String response) {
    return new RawReceiver((_, out) -> out.write(response.getBytes(StandardCharsets.UTF_8)));
  }

  int port() {
    return server.getLocalPort();
  }

  /** Head and body of each request that arrived completely. */
  List<String> requests() {
    return requests;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      requests.add(request(new BufferedInputStream(socket.getInputStream())));
      script.answer(socket, socket.getOutputStream());
    } catch (SocketException left) {
      // the sender has seen enough
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String request(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new SocketException("closed");
      }
      head.append((char) next);
    }
    String lower = head.toString().toLowerCase(java.util.Locale.ROOT);
    int at = lower.indexOf("content-length: ") + "content-length: ".length();
    int length = Integer.parseInt(lower.substring(at, lower.indexOf("\r\n", at)));
    return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
