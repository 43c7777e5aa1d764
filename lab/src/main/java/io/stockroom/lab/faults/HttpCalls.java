package io.stockroom.lab.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/** Sends requests; a missing response is a result, too. */
final class HttpCalls {
  static final String FORM = "application/x-www-form-urlencoded";
  static final String JSON = "application/json";

  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private HttpCalls() {}

  static Answer post(String url, Map<String, String> headers, String type, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .POST(BodyPublishers.ofString(body))
            .header("Content-Type", type);
    headers.forEach(request::header);
    return send(request);
  }

  static Answer get(String url) {
    return send(HttpRequest.newBuilder(URI.create(url)).GET());
  }

  private static Answer send(HttpRequest.Builder request) {
    long start = System.nanoTime();
    try {
      HttpResponse<String> response =
          CLIENT.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString(UTF_8));
      return new Answer(response.statusCode(), response.body(), millisSince(start));
    } catch (IOException e) {
      return new Answer(0, e.toString(), millisSince(start));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Answer(0, "interrupted", millisSince(start));
    }
  }

  static long millisSince(long nanoTime) {
    return (System.nanoTime() - nanoTime) / 1_000_000;
  }
}
