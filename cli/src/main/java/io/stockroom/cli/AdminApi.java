package io.stockroom.cli;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Client of the admin API. A rejection or an invalid response ends the command. */
final class AdminApi {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final Duration WORK_TIMEOUT = Duration.ofHours(1);
  private static final Duration UPLOAD_TIMEOUT = Duration.ofHours(1);
  private static final Duration DOWNLOAD_TIMEOUT = Duration.ofMinutes(5);

  private final URI server;
  private final ServerConnection connection;
  private final OperatorKey key;
  private final @Nullable String language;

  /**
   * Creates a client.
   *
   * @param language the value of {@code Accept-Language}; null for the server's default
   */
  AdminApi(AdminAddress admin, OperatorKey key, @Nullable String language) {
    this.server = admin.server();
    this.connection = new ServerConnection(admin.address(), admin.advice());
    this.key = key;
    this.language = language;
  }

  JsonNode get(String path) {
    return send("GET", path, "application/json", BodyPublishers.noBody(), TIMEOUT);
  }

  JsonNode post(String path, JsonNode body) {
    return send("POST", path, body, TIMEOUT);
  }

  JsonNode put(String path, JsonNode body) {
    return send("PUT", path, body, TIMEOUT);
  }

  JsonNode patch(String path, JsonNode body) {
    return send("PATCH", path, body, TIMEOUT);
  }

  JsonNode delete(String path) {
    return send("DELETE", path, "application/json", BodyPublishers.noBody(), TIMEOUT);
  }

  /** The address of the console, for links. */
  URI server() {
    return server;
  }

  /** Runs an operation whose duration depends on the amount of data. */
  JsonNode work(String path) {
    return send("POST", path, Json.object(), WORK_TIMEOUT);
  }

  /** Streams a file of any length. */
  JsonNode upload(String path, BodyPublisher file) {
    return send("POST", path, "application/octet-stream", file, UPLOAD_TIMEOUT);
  }

  /** Like {@link #get}, but empty if the server is unreachable or not ready. */
  Optional<JsonNode> tryGet(String path) {
    ServerConnection.Answer answer;
    try {
      answer =
          connection.send(
              request("GET", path, "application/json", BodyPublishers.noBody(), TIMEOUT));
    } catch (CommandException outOfReach) {
      return Optional.empty();
    }
    return answer.isFromUnreadyServer() ? Optional.empty() : Optional.of(judged(answer));
  }

  /** Downloads a file and streams it to the receiver. */
  void download(String path, ServerConnection.Receiver receiver) {
    connection
        .receive(
            request("GET", path, "application/json", BodyPublishers.noBody(), DOWNLOAD_TIMEOUT),
            receiver)
        .ifPresent(this::judged);
  }

  /** Encodes text as one path segment. */
  static String part(String text) {
    return parameter(text).replace("+", "%20");
  }

  /** Encodes a query parameter. */
  static String parameter(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private JsonNode send(String method, String path, JsonNode body, Duration timeout) {
    return send(
        method, path, "application/json", BodyPublishers.ofByteArray(Json.bytes(body)), timeout);
  }

  private JsonNode send(
      String method, String path, String mediaType, BodyPublisher body, Duration timeout) {
    return judged(connection.send(request(method, path, mediaType, body, timeout)));
  }

  private HttpRequest request(
      String method, String path, String mediaType, BodyPublisher body, Duration timeout) {
    HttpRequest.Builder request =
        connection
            .request(path)
            .timeout(timeout)
            .header("Authorization", "Bearer " + key.value())
            .header("Accept", "application/json")
            .header("Content-Type", mediaType);
    return (language == null ? request : request.header("Accept-Language", language))
        .method(method, body)
        .build();
  }

  /** The response if the call succeeded; a rejection ends the command. */
  private JsonNode judged(ServerConnection.Answer answer) {
    Optional<JsonNode> json = Json.parse(answer.body()).filter(JsonNode::isObject);
    if (answer.status() == 401) {
      throw refusedKey(json);
    }
    if (json.isEmpty()) {
      throw CommandException.failed(notStockroom(answer));
    }
    if (answer.status() < 200 || answer.status() > 202) {
      throw CommandException.answered(refusal(answer, json.get()), json.get());
    }
    return json.get();
  }

  private CommandException refusedKey(Optional<JsonNode> json) {
    String sentence =
        "The server at %s rejected the operator key from %s. Pass the data folder of that server with --data DIR, or its key in %s."
            .formatted(connection.server(), key.source(), OperatorKey.VARIABLE);
    return json.filter(node -> node.has("success"))
        .map(node -> CommandException.answered(sentence, node))
        .orElseGet(() -> CommandException.failed(sentence));
  }

  private String notStockroom(ServerConnection.Answer answer) {
    String location = answer.header("Location");
    if (answer.status() / 100 == 3 && !location.isEmpty()) {
      return "%s redirects to %s. Pass the final address with --admin-server."
          .formatted(connection.server(), location);
    }
    String type = answer.header("Content-Type").replaceFirst(";.*", "");
    return "%s responded %s with %s, which is not a response of Stockroom. Check --server, --admin-server and any proxy in between."
        .formatted(
            connection.server(),
            answer.statusLine(),
            type.isEmpty() || type.contains("json") ? "something other than a JSON object" : type);
  }

  private String refusal(ServerConnection.Answer answer, JsonNode failure) {
    String message = failure.path("msg").asString("");
    if (message.isBlank()) {
      return "The server at %s responded %s without a reason. Check --admin-server, and that command and server have the same version."
          .formatted(connection.server(), answer.statusLine());
    }
    StringBuilder sentence = new StringBuilder(message);
    if (answer.status() == 503) {
      sentence.append(" (").append(connection.server()).append(" is not ready; try again shortly)");
    }
    failure
        .path("errors")
        .valueStream()
        .filter(error -> !message.contains(error.path("msg").asString("")))
        .forEach(error -> sentence.append("\n  ").append(fault(error)));
    return sentence.toString();
  }

  private static String fault(JsonNode error) {
    String at = error.path("at").asString("");
    String message = error.path("msg").asString("");
    return at.isEmpty() || message.contains(at) ? message : at + ": " + message;
  }
}
