package io.stockroom.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Sends one request to a server, and explains every kind of connection failure. */
final class ServerConnection {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final long MAX_ANSWER_BYTES = 64L << 20;

  private static final String USUAL_ADVICE =
      "Start a server with: stockroom serve; or choose another one with --server or"
          + " STOCKROOM_SERVER.";

  private final URI server;
  private final String advice;

  ServerConnection(URI server) {
    this(server, USUAL_ADVICE);
  }

  /**
   * @param advice what to do if there is no response
   */
  ServerConnection(URI server, String advice) {
    this.server = server;
    this.advice = advice;
  }

  /** A response with any status. */
  record Answer(int status, HttpHeaders headers, byte[] body) {
    /** The status with its name: {@code 404 Not Found}. */
    String statusLine() {
      return StatusNames.line(status());
    }

    String header(String name) {
      return headers().firstValue(name).orElse("");
    }

    /** Whether a proxy or a starting server answered, so that it may help to try again. */
    boolean isFromUnreadyServer() {
      return status >= 502 && status <= 504;
    }
  }

  URI server() {
    return server;
  }

  /** A request to {@code path}, which starts with a slash and may have a query. */
  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server + path));
  }

  Answer send(HttpRequest request) {
    try (HttpClient client = client()) {
      HttpResponse<byte[]> response =
          client.send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER_BYTES));
      return new Answer(response.statusCode(), response.headers(), response.body());
    } catch (IOException e) {
      throw CommandException.failed(sentence(e), e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Receives a file as a stream. */
  interface Receiver {
    void receive(InputStream file, HttpHeaders headers) throws IOException;
  }

  /**
   * Downloads a file.
   *
   * @return the response if it is not a file: any status but 200, or JSON
   */
  Optional<Answer> receive(HttpRequest request, Receiver receiver) {
    try (HttpClient client = client()) {
      HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        String type = response.headers().firstValue("Content-Type").orElse("");
        // application/jsonl is a file
        if (response.statusCode() != 200 || type.matches("(?i)application/json\\s*(;.*)?")) {
          byte[] answer = body.readNBytes((int) MAX_ANSWER_BYTES);
          return Optional.of(new Answer(response.statusCode(), response.headers(), answer));
        }
        receiver.receive(new IdleTimeoutStream(body), response.headers());
        return Optional.empty();
      } finally {
        // otherwise closing the client waits for the rest of the response
        client.shutdownNow();
      }
    } catch (IOException e) {
      throw CommandException.failed(sentence(e), e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static HttpClient client() {
    // HTTP/1.1: some proxies fail on the upgrade header
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(CONNECT_TIMEOUT)
        .build();
  }

  private CommandException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return CommandException.failed(
        "The command was interrupted before %s responded.".formatted(server), e);
  }

  private String sentence(IOException failure) {
    if (isCausedByUnknownHost(failure)) {
      return "Unknown host '%s'. Check --server %s".formatted(server.getHost(), server);
    }
    return switch (failure) {
      case ConnectException _ -> "No Stockroom server responds at %s. %s".formatted(server, advice);
      case HttpConnectTimeoutException _ ->
          "No Stockroom server responds at %s. %s".formatted(server, advice);
      case HttpTimeoutException _ ->
          "%s did not respond in time. Check the server's log; the command may have taken effect."
              .formatted(server);
      case SSLException _ ->
          "The secure connection to %s failed (%s). Check the certificate, or whether the address should start with http://"
              .formatted(server, detail(failure));
      case ProtocolException _ ->
          "The server at %s does not speak HTTP. Check --server.".formatted(server);
      default ->
          "The connection to %s was lost before the response was complete (%s). The command may have taken effect; check before you repeat it."
              .formatted(server, detail(failure));
    };
  }

  private static boolean isCausedByUnknownHost(Throwable failure) {
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return true;
      }
    }
    return false;
  }

  private static String detail(IOException failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
