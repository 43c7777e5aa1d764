package io.stockroom.core.call;

import io.stockroom.protocol.Language;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** Writes answers as JSON, and bounds what is read as a JSON tree. */
public final class Json {
  /** No number that is read is longer: the time that a parser takes grows with its square. */
  public static final int NUMBER_CHARACTERS = 40;

  private static final JsonFactory FACTORY = new JsonFactory();

  /** For bodies that are read as a tree. */
  public static final StreamReadConstraints BOUNDS =
      StreamReadConstraints.builder().maxNumberLength(NUMBER_CHARACTERS).build();

  private Json() {}

  public static byte[] bytes(Answer answer, Language language) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
      answer.write(out, language);
    }
    return bytes.toByteArray();
  }

  public static String text(Answer answer, Language language) {
    return new String(bytes(answer, language), StandardCharsets.UTF_8);
  }
}
