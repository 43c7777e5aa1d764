package io.stockroom.console.explorer;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/**
 * Sends HTTP requests to this server itself. They pass the same checks and limits as any other
 * call.
 */
public final class LoopbackClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** A response and its latency. */
  record Answer(HttpResponse<String> response, long millis) {}

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .sslContext(TrustAnyCertificate.trusting())
          .build();

  /** This server's address, taken from the connection of the current request. */
  static String address(HttpServletRequest request) {
    String host = request.getLocalAddr();
    return "%s://%s:%d"
        .formatted(
            request.getScheme(),
            host.contains(":") ? "[" + host + "]" : host,
            request.getLocalPort());
  }

  Answer post(String address, Map<String, String> headers, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address))
            .timeout(TIMEOUT)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    headers.forEach(request::header);
    long start = System.nanoTime();
    HttpResponse<String> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    return new Answer(response, Duration.ofNanos(System.nanoTime() - start).toMillis());
  }

  @Override
  public void close() {
    client.close();
  }
}
