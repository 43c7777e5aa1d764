package io.stockroom.server.testing;

import io.stockroom.protocol.Signature;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** One request, valid except for what the test changes. */
public final class Call {
  private final Api api;
  private final String path;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private String method = "POST";
  private String query = "";
  private byte[] body = new byte[0];
  private boolean chunked;
  private boolean hmac;

  Call(Api api, String path) {
    this.api = api;
    this.path = path;
    headers.put("appid", api.appid());
    headers.put("accesstoken", api.accesstoken());
  }

  /** Signs the request with {@code timestamp}. */
  public Call at(long timestamp) {
    return at(Long.toString(timestamp));
  }

  public Call at(String timestamp) {
    headers.put("timestamp", timestamp);
    headers.put("sign", api.sign(timestamp));
    return this;
  }

  public Call method(String name) {
    method = name;
    return this;
  }

  public Call query(String text) {
    query = "?" + text;
    return this;
  }

  public Call form(String fields) {
    return body("application/x-www-form-urlencoded", fields);
  }

  public Call json(String text) {
    return body("application/json", text);
  }

  public Call body(String type, String text) {
    return body(type, text.getBytes(StandardCharsets.UTF_8));
  }

  public Call body(String type, byte[] bytes) {
    headers.put("Content-Type", type);
    body = bytes.clone();
    return this;
  }

  /** Sends the body without a Content-Length. */
  public Call chunked() {
    chunked = true;
    return this;
  }

  public Call header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  public Call without(String header) {
    headers.remove(header);
    return this;
  }

  public Call language(String tags) {
    return header("Accept-Language", tags);
  }

  public Reply send() {
    if (hmac) {
      sign();
    }
    BodyPublisher publisher =
        chunked
            ? BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))
            : BodyPublishers.ofByteArray(body);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.server().port() + path + query))
            .method(method, publisher);
    headers.forEach(request::header);
    return Http.send(request);
  }

  /** Signs the whole request with HMAC when it is sent. */
  public Call hmac() {
    hmac = true;
    return this;
  }

  private void sign() {
    String timestamp = headers.get("timestamp");
    if (timestamp == null || !headers.containsKey("sign")) {
      return;
    }
    String nonce = UUID.randomUUID().toString();
    String text =
        Signature.signedText(
            method,
            path + query,
            timestamp,
            api.accesstoken(),
            body,
            nonce,
            headers.getOrDefault("Idempotency-Key", ""));
    headers.put("sign-method", "hmac-sha256");
    headers.put("sign-nonce", nonce);
    headers.put("sign", Signature.hmac(api.secret(), text));
  }

  /** The request head as raw text, for tests of malformed HTTP. */
  public String head(String... furtherLines) {
    StringBuilder head = new StringBuilder(method + " " + path + query + " HTTP/1.1\r\n");
    head.append("Host: 127.0.0.1\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    for (String line : furtherLines) {
      head.append(line).append("\r\n");
    }
    return head.append("\r\n").toString();
  }
}
