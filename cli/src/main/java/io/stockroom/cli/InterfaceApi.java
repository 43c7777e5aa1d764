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
import tools.jackson.databind.node.ObjectNode;

/**
 * Signs and sends calls of the interface. The answers stay as the server wrote them, for {@code
 * --json}; the SDK would read them.
 */
record InterfaceApi(
    ServerConnection connection,
    Credentials credentials,
    SignMethod signMethod,
    @Nullable String language) {
  static final String FORM = "application/x-www-form-urlencoded";
  static final String JSON = "application/json";

  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  /** Sends a form. A rejection ends the command with its message. */
  JsonNode form(String path, ObjectNode fields) {
    return judged(send(path, FORM, encoded(fields)));
  }

  /** Like {@link #form}, but empty if the server is unreachable or not ready. */
  Optional<JsonNode> tryForm(String path, ObjectNode fields) {
    ServerConnection.Answer answer;
    try {
      answer = send(path, FORM, encoded(fields));
    } catch (CommandException outOfReach) {
      if (outOfReach.exitCode() != 1) {
        throw outOfReach;
      }
      return Optional.empty();
    }
    return answer.isFromUnreadyServer() ? Optional.empty() : Optional.of(judged(answer));
  }

  /** Sends JSON. A rejection ends the command with its message. */
  JsonNode json(String path, JsonNode body) {
    return judged(send(path, JSON, Json.bytes(body)));
  }

  private static byte[] encoded(ObjectNode fields) {
    return fields.properties().stream()
        .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue().asString()))
        .collect(Collectors.joining("&"))
        .getBytes(StandardCharsets.UTF_8);
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /**
   * Sends a signed request and returns any response. Signs the path without the prefix of {@code
   * --server}: a proxy that serves Stockroom below a prefix removes it.
   */
  ServerConnection.Answer send(String path, String type, byte[] content) {
    Map<String, String> signed =
        switch (signMethod) {
          case MD5 -> credentials.headers(Instant.now());
          case HMAC_SHA256 -> credentials.headers(Instant.now(), "POST", path, content);
        };
    HttpRequest request;
    try {
      HttpRequest.Builder builder =
          connection
              .request(path)
              .timeout(TIMEOUT)
              .header("Content-Type", type)
              .POST(BodyPublishers.ofByteArray(content));
      signed.forEach(builder::header);
      if (language != null) {
        builder.header("Accept-Language", language);
      }
      request = builder.build();
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(
          "The request is invalid: %s. Check the path, --appid and --token for spaces."
              .formatted(e.getMessage()));
    }
    return connection.send(request);
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
