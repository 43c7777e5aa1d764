package io.stockroom.core.call;

import io.stockroom.protocol.Language;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** A success with further properties. */
public record Success(Consumer<JsonGenerator> properties) implements Answer {
  @Override
  public void write(JsonGenerator out, Language language) {
    out.writeStartObject();
    out.writeBooleanProperty("success", true);
    out.writeStringProperty("msg", "");
    properties.accept(out);
    out.writeEndObject();
  }
}
