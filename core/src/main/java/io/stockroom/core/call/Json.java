package io.stockroom.core.call;

import io.stockroom.protocol.Language;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamReadConstraints;

/** JSON as text for pages, JSON of maps and lists, and the bounds of what is read as a tree. */
public final class Json {
  /** No number that is read is longer: the time that a parser takes grows with its square. */
  public static final int NUMBER_CHARACTERS = 40;

  /** For bodies that are read as a tree. */
  public static final StreamReadConstraints BOUNDS =
      StreamReadConstraints.builder().maxNumberLength(NUMBER_CHARACTERS).build();

  private Json() {}

  public static String text(Answer answer, Language language) {
    return new String(answer.json(language), StandardCharsets.UTF_8);
  }

  /** Writes a value that is made of maps, lists, texts, numbers, booleans and times. */
  public static void write(JsonGenerator out, @Nullable Object value) {
    switch (value) {
      case null -> out.writeNull();
      case Map<?, ?> map -> {
        out.writeStartObject();
        map.forEach(
            (name, inner) -> {
              out.writeName(String.valueOf(name));
              write(out, inner);
            });
        out.writeEndObject();
      }
      case Iterable<?> list -> {
        out.writeStartArray();
        list.forEach(inner -> write(out, inner));
        out.writeEndArray();
      }
      case Boolean bool -> out.writeBoolean(bool);
      case Integer number -> out.writeNumber(number);
      case Long number -> out.writeNumber(number);
      case Instant instant -> out.writeString(instant.toString());
      default -> out.writeString(value.toString());
    }
  }
}
