package io.stockroom.server.testing;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;

/** A client of the admin API. */
public final class Admin {
  private final TestServer server;
  private final String key;
  private final String language;

  private Admin(TestServer server, String key, String language) {
    this.server = server;
    this.key = key;
    this.language = language;
  }

  public static Admin of(TestServer server) {
    return new Admin(server, server.operatorKey(), "");
  }

  public Admin withKey(String other) {
    return new Admin(server, other, language);
  }

  /** The same client with another language. */
  public Admin reading(String other) {
    return new Admin(server, key, other);
  }

  public Reply get(String path) {
    return send("GET", path, "");
  }

  public Reply post(String path, String body) {
    return send("POST", path, body);
  }

  public Reply send(String method, String path, String body) {
    return Http.send(
        request(path)
            .method(method, BodyPublishers.ofString(body))
            .header("Content-Type", "application/json"));
  }

  /** Uploads a file without a content type. */
  public Reply upload(String path, BodyPublisher file) {
    return Http.send(
        request(path).POST(file).header("Content-Type", "application/x-www-form-urlencoded"));
  }

  /** Downloads a file. */
  public byte[] download(String path) {
    return Http.download(request(path));
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.adminPort() + path));
    if (!language.isEmpty()) {
      request.header("Accept-Language", language);
    }
    return key.isEmpty() ? request : request.header("Authorization", "Bearer " + key);
  }
}
