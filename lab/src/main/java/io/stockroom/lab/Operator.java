package io.stockroom.lab;

import io.stockroom.client.Credentials;
import java.net.URI;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The operator of a server, who creates merchants and products.
 *
 * @param url the URL of the interface; the admin API is on the next port
 */
public record Operator(String url, String key) {
  public Operator at(String otherUrl) {
    return new Operator(otherUrl, key);
  }

  public String adminUrl() {
    URI address = URI.create(url);
    return "http://%s:%d".formatted(address.getHost(), address.getPort() + 1);
  }

  /** Returns the fields of the response. Throws on any failure, because nothing is broken yet. */
  public JsonNode ask(String path, String body) {
    Answer answer = post(path, body);
    if (answer.status() / 100 != 2) {
      throw new IllegalStateException(
          "%s was answered %d: %s".formatted(path, answer.status(), answer.text()));
    }
    return answer.json();
  }

  public Answer post(String path, String body) {
    Map<String, String> headers = Map.of("Authorization", "Bearer " + key);
    return HttpCalls.post(adminUrl() + path, headers, HttpCalls.JSON, body);
  }

  public Answer imports(int merchantId, String name, String content) {
    return post(
        "/admin/merchants/%d/imports?name=%s&apply=true&wait=true".formatted(merchantId, name),
        content);
  }

  /** Makes a merchant whose data is in a cell; returns its id. */
  public int newMerchant(String cell) {
    String body =
        "{\"name\":\"M\",\"storeUrl\":\"m\",\"storeName\":\"M\",\"cell\":\"%s\"}".formatted(cell);
    return ask("/admin/merchants", body).get("merchantId").asInt();
  }

  public Credentials newApplication() {
    JsonNode made = ask("/admin/applications", "{\"name\":\"lab\"}");
    return new Credentials(made.get("appid").asString(), made.get("secret").asString(), "");
  }

  public Credentials newToken(Credentials application, int merchantId) {
    String body =
        "{\"appid\":\"%s\",\"merchantId\":%d,\"boundStore\":\"shop\"}"
            .formatted(application.appid(), merchantId);
    JsonNode token = ask("/admin/tokens", body);
    return new Credentials(
        application.appid(), application.secret(), token.get("accesstoken").asString());
  }
}
