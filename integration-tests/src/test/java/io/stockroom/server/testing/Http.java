package io.stockroom.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Sends HTTP requests: valid ones with a client, malformed ones as raw bytes. Compares the valid
 * ones with the OpenAPI document.
 */
public final class Http {
  private static final int PATIENCE_SECONDS = 20;
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Http() {}

  public static Reply send(HttpRequest.Builder request) {
    try {
      HttpRequest sent = request.timeout(Duration.ofSeconds(PATIENCE_SECONDS)).build();
      HttpResponse<String> response =
          CLIENT.send(sent, BodyHandlers.ofString(StandardCharsets.UTF_8));
      Map<String, String> headers = new HashMap<>();
      response
          .headers()
          .map()
          .forEach((name, values) -> headers.put(lower(name), values.getFirst()));
      Reply reply = new Reply(response.statusCode(), headers, response.body());
      Documented.check(sent, reply);
      return reply;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The body of a response with status 200. */
  public static byte[] download(HttpRequest.Builder request) {
    try {
      HttpResponse<byte[]> response =
          CLIENT.send(
              request.timeout(Duration.ofSeconds(PATIENCE_SECONDS)).build(),
              BodyHandlers.ofByteArray());
      if (response.statusCode() != 200) {
        throw new IllegalStateException(
            response.statusCode() + " " + new String(response.body(), StandardCharsets.UTF_8));
      }
      return response.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The whole response to {@code bytes}, until the server closes the connection. */
  public static String raw(TestServer server, String bytes) {
    return raw(server.port(), bytes);
  }

  /** Like above, on any port of a server. */
  public static String raw(int port, String bytes) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_SECONDS * 1000);
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first response to {@code bytes}. */
  public static Reply rawReply(TestServer server, String bytes) {
    return rawReply(server.port(), bytes);
  }

  /** Like above, on any port of a server. */
  public static Reply rawReply(int port, String bytes) {
    String answer = raw(port, bytes);
    int end = answer.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new IllegalStateException("no answer but: " + answer);
    }
    String[] lines = answer.substring(0, end).split("\r\n", -1);
    Map<String, String> headers = new HashMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      headers.put(lower(lines[i].substring(0, colon)), lines[i].substring(colon + 1).strip());
    }
    String body = answer.substring(end + 4);
    int status = Integer.parseInt(lines[0].split(" ", -1)[1]);
    return new Reply(status, headers, withoutChunks(headers, body));
  }

  private static String withoutChunks(Map<String, String> headers, String body) {
    if (!"chunked".equals(headers.get("transfer-encoding"))) {
      return body;
    }
    int start = body.indexOf("\r\n") + 2;
    return body.substring(start, body.indexOf("\r\n", start));
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
