package io.stockroom.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the operator's API. */
final class Operator implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String address;
  private final String key;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  Operator(String address, String key) {
    this.address = address;
    this.key = key;
  }

  JsonNode create(String path, Map<String, ?> fields) {
    return send("POST", path, JSON.writeValueAsString(fields));
  }

  /** Sends a request and returns the response; throws with the server's message on failure. */
  JsonNode send(String method, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + path))
            .method(method, BodyPublishers.ofString(body))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + key)
            .timeout(PATIENCE)
            .build();
    try {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new IllegalStateException(
            "%s %s returned %d: %s".formatted(method, path, answer.statusCode(), answer.body()));
      }
      return JSON.readTree(answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + path, e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
