package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/** Parses JSON strictly and within limits. */
public final class StrictJson {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(8)
                  .maxStringLength(4096)
                  .maxNumberLength(20)
                  .maxNameLength(64)
                  .maxDocumentLength(RequestContent.MAX_BYTES)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private StrictJson() {}

  /** Accepts only UTF-8: the parser would also detect UTF-16 and UTF-32 by their zero bytes. */
  public static JsonParser parser(byte[] body) {
    int first = body.length > 0 ? body[0] & 0xff : 0;
    if (body.length > 1 && (first == 0 || body[1] == 0 || first >= 0xfe)) {
      throw new StreamReadException("the body is not UTF-8");
    }
    return FACTORY.createParser(ObjectReadContext.empty(), body);
  }

  /** Converts a parser error into a problem with line and column. */
  public static Problem problem(JacksonException cause) {
    TokenStreamLocation location = cause.getLocation();
    int line = location == null ? 1 : Math.max(1, location.getLineNr());
    int column = location == null ? 1 : Math.max(1, location.getColumnNr());
    return problem(line, column, JsonReason.of(cause.getOriginalMessage()));
  }

  static Problem problem(int line, int column, JsonReason reason) {
    return Problem.of("", ErrorCode.JSON_BROKEN, line, column, reason.sentence());
  }

  /** The name of a token's type, for messages about a wrong type. */
  static String kind(JsonToken token) {
    return switch (token) {
      case START_OBJECT, END_OBJECT, PROPERTY_NAME -> "an object {…}";
      case START_ARRAY, END_ARRAY -> "an array […]";
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER_INT -> "a whole number";
      case VALUE_NUMBER_FLOAT -> "a decimal number";
      case VALUE_TRUE, VALUE_FALSE -> "true or false";
      case VALUE_NULL -> "null";
      case NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT -> "something else";
    };
  }
}
