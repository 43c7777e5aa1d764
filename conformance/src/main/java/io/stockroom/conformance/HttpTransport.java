package io.stockroom.conformance;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Sends requests over HTTP/1.1, which every server of this interface supports. */
final class HttpTransport implements Transport, AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long MAX_ANSWER_BYTES = 16L << 20;

  private final URI baseUrl;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  HttpTransport(URI baseUrl) {
    this.baseUrl = baseUrl;
  }

  @Override
  public Answer send(Request request) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(baseUrl + request.path() + request.query()))
            .timeout(PATIENCE)
            .method(request.method(), BodyPublishers.ofByteArray(request.body()));
    request.headers().forEach(header -> builder.header(header.name(), header.value()));
    try {
      HttpResponse<byte[]> response =
          client.send(
              builder.build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER_BYTES));
      return new Answer(
          response.statusCode(),
          response.headers(),
          new String(response.body(), StandardCharsets.UTF_8));
    } catch (ConnectException | HttpConnectTimeoutException unreachable) {
      throw new NoAnswer("no server responds at " + baseUrl, false, unreachable);
    } catch (IOException lost) {
      String reason = lost.getMessage() == null ? lost.toString() : lost.getMessage();
      throw new NoAnswer("no response: " + reason, true, lost);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new NoAnswer("interrupted", true, stopped);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
