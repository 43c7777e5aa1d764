package io.stockroom.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.client.Credentials;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Sends requests; a missing response is a result, too. */
public final class HttpCalls {
  public static final String FORM = "application/x-www-form-urlencoded";

  public static final String JSON = "application/json";

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private HttpCalls() {}

  /** A signed call of the interface; the type follows from the body. */
  public static Answer call(Credentials credentials, String url, String body) {
    return call(credentials, url, body, "");
  }

  public static Answer call(Credentials credentials, String url, String body, String key) {
    Map<String, String> headers = new HashMap<>(credentials.headers(Instant.now()));
    if (!key.isEmpty()) {
      headers.put("Idempotency-Key", key);
    }
    return post(url, headers, body.startsWith("[") || body.startsWith("{") ? JSON : FORM, body);
  }

  public static Answer post(String url, Map<String, String> headers, String type, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .POST(BodyPublishers.ofString(body))
            .header("Content-Type", type);
    headers.forEach(request::header);
    return send(request, PATIENCE);
  }

  public static Answer get(String url) {
    return get(url, PATIENCE);
  }

  public static Answer get(String url, Duration patience) {
    return send(HttpRequest.newBuilder(URI.create(url)).GET(), patience);
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

  public static double millisSince(long nanoTime) {
    return (System.nanoTime() - nanoTime) / 1e6;
  }
}
