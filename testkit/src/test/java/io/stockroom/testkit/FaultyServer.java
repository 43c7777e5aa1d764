package io.stockroom.testkit;

import io.stockroom.protocol.ErrorCode;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A server that answers as clients/cases.json says: {@code /CLIENT/INDEX/…} with the replies of a
 * case, one after the other, and {@code /CLIENT/codes/CODE/…} with an error code.
 */
final class FaultyServer implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final ServerSocket socket;
  private final JsonNode cases;
  private final Map<String, List<Map<String, String>>> received = new ConcurrentHashMap<>();

  FaultyServer(JsonNode cases) {
    this.cases = cases;
    try {
      this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  String address() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  /** The headers of the requests of one case, in lower case. */
  List<Map<String, String>> received(String client, int index) {
    return received.getOrDefault("/" + client + "/" + index, List.of());
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        Thread.ofVirtual().start(() -> serve(connection));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      InputStream in = new BufferedInputStream(connection.getInputStream());
      String path = line(in).split(" ", -1)[1];
      Map<String, String> headers = new ConcurrentHashMap<>();
      for (String header = line(in); !header.isEmpty(); header = line(in)) {
        int colon = header.indexOf(':');
        headers.put(
            header.substring(0, colon).toLowerCase(Locale.ROOT),
            header.substring(colon + 1).strip());
      }
      var _ = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
      OutputStream out = connection.getOutputStream();
      out.write(reply(path.split("/", -1), headers).getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException gone) {
      // the client closed the connection first
    }
  }

  private String reply(String[] path, Map<String, String> headers) {
    if (path[2].equals("Stock") || path[2].equals("Product")) {
      return whole(500, "", "an invalid value was sent", 0);
    }
    if (path[2].equals("codes")) {
      return code(ErrorCode.valueOf(path[3]));
    }
    List<Map<String, String>> soFar =
        received.computeIfAbsent("/" + path[1] + "/" + path[2], _ -> new ArrayList<>());
    JsonNode replies = cases.get("replies").get(Integer.parseInt(path[2])).get("replies");
    JsonNode reply = replies.get(soFar.size());
    soFar.add(headers);
    if (reply == null) {
      return whole(418, "", "no reply is left", 0);
    }
    if (reply.has("cut")) {
      return "";
    }
    StringBuilder lines = new StringBuilder();
    JsonNode type = reply.get("type");
    lines.append("Content-Type: ").append(type == null ? "application/json" : type.asString());
    lines.append("\r\n");
    if (reply.has("headers")) {
      reply
          .get("headers")
          .properties()
          .forEach(
              header ->
                  lines
                      .append(header.getKey() + ": " + header.getValue().asString())
                      .append("\r\n"));
    }
    String body =
        reply.has("text")
            ? reply.get("text").asString()
            : JSON.writeValueAsString(reply.get("body"));
    return whole(
        reply.get("status").asInt(), lines.toString(), body, reply.has("truncated") ? 100 : 0);
  }

  /** A wait that is longer than clients wait, so that they report it. */
  private static String code(ErrorCode code) {
    String headers = "Content-Type: application/json\r\nRetry-After: 100\r\n";
    if (code.status() == 200) {
      String body = "{\"success\":false,\"msg\":\"No.\",\"data\":\"\"}";
      return whole(200, headers + "X-Error-Code: " + code + "\r\n", body, 0);
    }
    return whole(
        code.status(),
        headers,
        """
        {"success":false,"msg":"No.","errors":[{"at":"","code":"%s","msg":"No."}]}"""
            .formatted(code),
        0);
  }

  private static String whole(int status, String headers, String body, int missing) {
    return "HTTP/1.1 %d Status\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s"
        .formatted(status, headers, body.getBytes(StandardCharsets.UTF_8).length + missing, body);
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
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
