package io.stockroom.core.call;

import io.stockroom.protocol.Language;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.StreamReadConstraints;

/** JSON as text for pages, and the bounds of what is read as a JSON tree. */
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
}
