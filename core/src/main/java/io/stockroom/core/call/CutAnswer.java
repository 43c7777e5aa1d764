package io.stockroom.core.call;

import io.stockroom.protocol.Language;
import tools.jackson.core.JsonGenerator;

/** Half an answer, after which the connection is closed: for tests of clients. */
public record CutAnswer() implements Answer {
  public static final String MESSAGE = "The sandbox cuts this connection.";

  @Override
  public void write(JsonGenerator out, Language language) {
    throw new IllegalStateException(MESSAGE);
  }
}
