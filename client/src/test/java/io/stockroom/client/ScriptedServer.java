package io.stockroom.client;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * A server on a raw loopback socket that follows a script, whether valid HTTP or not, and records
 * the requests. Each connection serves one request.
 */
final class ScriptedServer implements AutoCloseable {
  /** A received request; header names are in lowercase. */
  record Received(String line, Map<String, String> headers, String body) {
    String path() {
      return line.split(" ", -1)[1];
    }

    String header(String name) {
      return String.valueOf(headers.get(name));
    }
  }

  /** What the server does with a request. */
  interface Step {
    void run(OutputStream out) throws IOException, InterruptedException;
  }

  private final ServerSocket socket;
  private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  ScriptedServer() {
    this(0);
  }

  ScriptedServer(int port) {
    try {
      socket = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread accepting = new Thread(this::accept, "scripted-server");
    accepting.setDaemon(true);
    accepting.start();
  }

  String address() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  List<Received> received() {
    return received;
  }

  /** Responds to the next request with this JSON; {@code headers} are whole lines. */
  ScriptedServer json(int status, String body, String... headers) {
    String lines = "X-Request-Id: r" + (steps.size() + 1) + "\r\n";
    for (String header : headers) {
      lines += header + "\r\n";
    }
    return raw(whole(status, "Content-Type: application/json\r\n" + lines, body));
  }

  /** Responds to the next request with the envelope of a single problem. */
  ScriptedServer rejection(int status, String at, String code, String... headers) {
    return json(
        status,
        """
        {"success":false,"msg":"%1$s: no","errors":[{"at":"%1$s","code":"%2$s","msg":"no"}]}"""
            .formatted(at, code),
        headers);
  }

  ScriptedServer page(int status, String type, String body) {
    return raw(whole(status, "Content-Type: " + type + "\r\n", body));
  }

  /** Sends these bytes for the next request and closes the connection. */
  ScriptedServer raw(String bytes) {
    return step(out -> out.write(bytes.getBytes(StandardCharsets.UTF_8)));
  }

  /** Closes the connection without a response to the next request. */
  ScriptedServer cut() {
    return step(out -> {});
  }

  /** Sends {@code beginning} for the next request and then nothing. */
  ScriptedServer silent(String beginning) {
    return step(
        out -> {
          out.write(beginning.getBytes(StandardCharsets.UTF_8));
          out.flush();
          awaitClose();
        });
  }

  void awaitClose() throws InterruptedException {
    closed.await();
  }

  ScriptedServer step(Step step) {
    steps.add(step);
    return this;
  }

  static String whole(int status, String headers, String body) {
    return "HTTP/1.1 %d Status\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s"
        .formatted(status, headers, body.getBytes(StandardCharsets.UTF_8).length, body);
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        Thread serving = new Thread(() -> serve(connection), "scripted-connection");
        serving.setDaemon(true);
        serving.start();
      } catch (IOException ended) {
        return;
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      Received request = read(new BufferedInputStream(connection.getInputStream()));
      Step step = steps.poll();
      received.add(request);
      if (step == null) {
        step = out -> out.write(whole(418, "", "no step is left").getBytes(StandardCharsets.UTF_8));
      }
      step.run(connection.getOutputStream());
      connection.getOutputStream().flush();
    } catch (IOException gone) {
      // the client closed the connection first, as some tests intend
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Received read(InputStream in) throws IOException {
    String line = line(in);
    Map<String, String> headers = new TreeMap<>();
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      int colon = header.indexOf(':');
      headers.put(
          header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).strip());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    return new Received(line, headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n' && c >= 0; c = in.read()) {
      line.append((char) c);
    }
    return line.toString().strip();
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
