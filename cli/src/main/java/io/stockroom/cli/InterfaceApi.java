package io.stockroom.cli;

import io.stockroom.client.Credentials;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Signs and sends calls of the interface. A rejection ends the command with its message. */
final class InterfaceApi {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final ServerConnection connection;
  private final Credentials credentials;
  private final SignMethod signMethod;
  private final @Nullable String language;

  InterfaceApi(
      ServerConnection connection,
      Credentials credentials,
      SignMethod signMethod,
      @Nullable String language) {
    this.connection = connection;
    this.credentials = credentials;
    this.signMethod = signMethod;
    this.language = language;
  }

  /** Sends a form. */
  JsonNode form(String path, Map<String, String> fields) {
    return judged(connection.send(formRequest(path, fields)));
  }

  /** Like {@link #form}, but empty if the server is unreachable or not ready. */
  Optional<JsonNode> tryForm(String path, Map<String, String> fields) {
    HttpRequest request = formRequest(path, fields);
    ServerConnection.Answer answer;
    try {
      answer = connection.send(request);
    } catch (CommandException outOfReach) {
      return Optional.empty();
    }
    boolean isNotReady = answer.status() >= 502 && answer.status() <= 504;
    return isNotReady ? Optional.empty() : Optional.of(judged(answer));
  }

  /** Sends JSON. */
  JsonNode json(String path, JsonNode body) {
    return judged(connection.send(request(path, "application/json", Json.bytes(body))));
  }

  private HttpRequest formRequest(String path, Map<String, String> fields) {
    String form =
        fields.entrySet().stream()
            .map(
                field ->
                    field.getKey()
                        + "="
                        + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    return request(
        path, "application/x-www-form-urlencoded", form.getBytes(StandardCharsets.UTF_8));
  }

  private HttpRequest request(String path, String type, byte[] content) {
    Map<String, String> signed =
        switch (signMethod) {
          case MD5 -> credentials.headers(Instant.now());
          case HMAC_SHA256 -> credentials.headers(Instant.now(), "POST", path, content);
        };
    try {
      HttpRequest.Builder request =
          connection
              .request(path)
              .timeout(TIMEOUT)
              .header("Content-Type", type)
              .POST(BodyPublishers.ofByteArray(content));
      signed.forEach(request::header);
      return (language == null ? request : request.header("Accept-Language", language)).build();
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(
          "The request is invalid: %s. Check --appid and --token for spaces."
              .formatted(e.getMessage()));
    }
  }

  private JsonNode judged(ServerConnection.Answer answer) {
    JsonNode json =
        Json.parse(answer.body())
            .filter(JsonNode::isObject)
            .orElseThrow(
                () ->
                    CommandException.failed(
                        "%s responded %s, which is not a response of Stockroom. Check --server and any proxy in between."
                            .formatted(connection.server(), answer.statusLine())));
    if (answer.status() == 200 && json.path("success").asBoolean(false)) {
      return json;
    }
    String message = json.path("msg").asString("");
    throw CommandException.answered(
        message.isBlank()
            ? "The server at %s responded %s without a reason."
                .formatted(connection.server(), answer.statusLine())
            : message,
        json);
  }
}
