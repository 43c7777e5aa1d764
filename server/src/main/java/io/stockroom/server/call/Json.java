package io.stockroom.server.call;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/** JSON as the interface reads it, strictly and within bounds, and as it writes it. */
public final class Json {
  /** No number that is read is longer: the time that a parser takes grows with its square. */
  public static final int NUMBER_CHARACTERS = 40;

  private static final JsonFactory STRICT =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(8)
                  .maxStringLength(4096)
                  .maxNumberLength(20)
                  .maxNameLength(64)
                  .maxDocumentLength(Input.MOST_BYTES)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /** For bodies that are read as a tree. */
  public static final StreamReadConstraints BOUNDS =
      StreamReadConstraints.builder().maxNumberLength(NUMBER_CHARACTERS).build();

  private Json() {}

  /** Reads UTF-8 only: the parser would also guess UTF-16 and UTF-32, by their zero bytes. */
  public static JsonParser parser(byte[] body) {
    int first = body.length > 0 ? body[0] & 0xff : 0;
    if (body.length > 1 && (first == 0 || body[1] == 0 || first >= 0xfe)) {
      throw new StreamReadException("the body is not UTF-8");
    }
    return STRICT.createParser(ObjectReadContext.empty(), body);
  }

  public static byte[] bytes(Answer answer, Language language) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonGenerator out = STRICT.createGenerator(ObjectWriteContext.empty(), bytes)) {
      answer.write(out, language);
    }
    return bytes.toByteArray();
  }

  public static String text(Answer answer, Language language) {
    return new String(bytes(answer, language), StandardCharsets.UTF_8);
  }

  /** Notes a problem where anything follows the value that was read. */
  public static void requireEnd(JsonParser parser, Problems problems) {
    if (parser.nextToken() != null) {
      var location = parser.currentTokenLocation();
      problems.add(
          "",
          ErrorCode.JSON_BROKEN,
          location.getLineNr(),
          location.getColumnNr(),
          JsonReason.TRAILING.sentence());
    }
  }

  /** What a parser found wrong, as a problem with line and column. */
  public static Problem broken(JacksonException cause) {
    var location = cause.getLocation();
    int line = location == null ? 1 : Math.max(1, location.getLineNr());
    int column = location == null ? 1 : Math.max(1, location.getColumnNr());
    String reason = JsonReason.of(cause.getOriginalMessage()).sentence();
    return Problem.of("", ErrorCode.JSON_BROKEN, line, column, reason);
  }

  /** The word for what stands at {@code token}, for messages about a wrong type. */
  public static String kind(JsonToken token) {
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
