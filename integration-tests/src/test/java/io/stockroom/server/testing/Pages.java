package io.stockroom.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A client of the console without a browser: it keeps cookies, sends forms with origin and CSRF
 * token, and does not follow redirects.
 */
public final class Pages {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).build();

  private final TestServer server;
  private final Map<String, String> cookies = new LinkedHashMap<>();
  private final Map<String, String> headers = new LinkedHashMap<>();
  private String formToken = "";

  private Pages(TestServer server) {
    this.server = server;
    headers.put("Origin", origin(server));
  }

  /** Not signed in, on the shared server. */
  public static Pages stranger() {
    return on(TestServer.shared());
  }

  public static Pages on(TestServer server) {
    return new Pages(server);
  }

  /** A signed-in person. */
  public static Pages of(TestPerson person) {
    Pages pages = new Pages(person.server());
    pages.cookies.put("stockroom-session", person.session());
    pages.formToken = person.formToken();
    return pages;
  }

  public static String origin(TestServer server) {
    return "http://localhost:" + server.port();
  }

  public Pages with(String header, String value) {
    headers.put(header, value);
    return this;
  }

  public Pages without(String header) {
    headers.remove(header);
    return this;
  }

  public Pages withFormToken(String token) {
    formToken = token;
    return this;
  }

  public Map<String, String> cookies() {
    return cookies;
  }

  public HttpResponse<String> get(String path) {
    return send(path, HttpRequest.newBuilder().GET());
  }

  /** Sends a form; {@code fields} alternates names and values. */
  public HttpResponse<String> post(String path, String... fields) {
    StringBuilder form = new StringBuilder("form-token=" + encoded(formToken));
    for (int i = 0; i < fields.length; i += 2) {
      form.append('&').append(encoded(fields[i])).append('=').append(encoded(fields[i + 1]));
    }
    return send(
        path,
        HttpRequest.newBuilder()
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form.toString())));
  }

  /** Sends JSON, like the scripts of the pages. */
  public HttpResponse<String> json(String path, String body) {
    return send(
        path,
        HttpRequest.newBuilder()
            .header("Content-Type", "application/json")
            .header("Form-Token", formToken)
            .header("Stockroom-Request", "fetch")
            .POST(BodyPublishers.ofString(body)));
  }

  /** Uploads a file, like the import page. */
  public HttpResponse<String> upload(String path, byte[] content) {
    return send(
        path,
        HttpRequest.newBuilder()
            .header("Content-Type", "application/octet-stream")
            .header("Form-Token", formToken)
            .header("Stockroom-Request", "fetch")
            .POST(BodyPublishers.ofByteArray(content)));
  }

  private HttpResponse<String> send(String path, HttpRequest.Builder request) {
    headers.forEach(request::header);
    if (!cookies.isEmpty()) {
      StringBuilder all = new StringBuilder();
      cookies.forEach((name, value) -> all.append(name).append('=').append(value).append("; "));
      request.header("Cookie", all.toString());
    }
    try {
      HttpResponse<String> response =
          CLIENT.send(
              request.uri(URI.create(origin(server) + path)).build(), BodyHandlers.ofString());
      for (String cookie : response.headers().allValues("Set-Cookie")) {
        String[] pair = cookie.split(";", 2)[0].split("=", 2);
        cookies.put(pair[0], pair[1]);
      }
      return response;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
