package io.stockroom.cli;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes JSON trees. Numbers keep their digits: a price of 59.00 stays 59.00. */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
          .build();

  private Json() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** A failure in the server's format, for failures on the client side. */
  static ObjectNode failure(String sentence) {
    ObjectNode failure = object().put("success", false).put("msg", sentence);
    failure.putArray("errors");
    return failure;
  }

  /** The parsed text; empty if it is not one complete JSON document. */
  static Optional<JsonNode> parse(byte[] text) {
    try {
      JsonNode tree = MAPPER.readTree(text);
      return tree.isMissingNode() ? Optional.empty() : Optional.of(tree);
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  static byte[] bytes(JsonNode tree) {
    return MAPPER.writeValueAsBytes(tree);
  }

  static String line(JsonNode tree) {
    return MAPPER.writeValueAsString(tree);
  }

  static String pretty(JsonNode tree) {
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree);
  }
}
