package io.stockroom.server.testing;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A response.
 *
 * @param headers by lower-case name; the first value of each
 * @param body the raw text
 */
public record Reply(int status, Map<String, String> headers, String body) {
  private static final JsonMapper JSON = new JsonMapper();

  public JsonNode json() {
    return JSON.readTree(body);
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  public boolean success() {
    return json().get("success").asBoolean();
  }

  public String msg() {
    return json().get("msg").asString();
  }

  /** The elements of {@code data}. */
  public List<JsonNode> data() {
    return json().get("data").valueStream().toList();
  }

  /** One field of every element of {@code data}, as text. */
  public List<String> data(String field) {
    return data().stream().map(element -> element.get(field).asString("null")).toList();
  }

  /** The codes of all problems. */
  public List<String> codes() {
    return errors("code");
  }

  /** The locations of all problems. */
  public List<String> places() {
    return errors("at");
  }

  private List<String> errors(String field) {
    JsonNode errors = json().get("errors");
    return errors == null
        ? List.of()
        : errors.valueStream().map(error -> error.get(field).asString()).toList();
  }

  /** Status and body, for comparing two responses. */
  public String whole() {
    return status + " " + body;
  }
}
