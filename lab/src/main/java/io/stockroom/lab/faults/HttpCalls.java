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
import java.util.Base64;
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
    return send(request, PATIENCE);
  }

  static Answer get(String url) {
    return get(url, PATIENCE);
  }

  static Answer get(String url, Duration patience) {
    return send(HttpRequest.newBuilder(URI.create(url)).GET(), patience);
  }

  /** Changes a part of a JSON document, by user and password. */
  static Answer patch(String url, String user, String password, String body) {
    String login = Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
    return send(
        HttpRequest.newBuilder(URI.create(url))
            .method("PATCH", BodyPublishers.ofString(body))
            .header("Authorization", "Basic " + login)
            .header("Content-Type", JSON),
        PATIENCE);
  }

  private static Answer send(HttpRequest.Builder request, Duration patience) {
    long start = System.nanoTime();
    try {
      HttpResponse<String> response =
          CLIENT.send(request.timeout(patience).build(), BodyHandlers.ofString(UTF_8));
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
