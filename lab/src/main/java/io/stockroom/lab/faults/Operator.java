package io.stockroom.lab.faults;

import java.net.URI;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The operator of a server, who creates merchants and products.
 *
 * @param url the URL of the interface; the admin API is on the next port
 */
record Operator(String url, String key) {
  private static final JsonMapper JSON = new JsonMapper();

  Operator at(String otherUrl) {
    return new Operator(otherUrl, key);
  }

  private String adminUrl() {
    URI address = URI.create(url);
    return "http://%s:%d".formatted(address.getHost(), address.getPort() + 1);
  }

  /** Returns the fields of the response. Throws on any failure, because nothing is broken yet. */
  JsonNode ask(String path, String body) {
    Answer answer = post(path, body);
    if (answer.status() != 200 && answer.status() != 201) {
      throw new IllegalStateException(
          "%s was answered %d: %s".formatted(path, answer.status(), answer.text()));
    }
    return JSON.readTree(answer.text());
  }

  Answer post(String path, String body) {
    return HttpCalls.post(
        adminUrl() + path, Map.of("Authorization", "Bearer " + key), HttpCalls.JSON, body);
  }
}
