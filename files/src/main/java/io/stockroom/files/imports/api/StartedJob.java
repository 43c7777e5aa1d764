package io.stockroom.files.imports.api;

import io.stockroom.core.call.Answer;
import io.stockroom.protocol.Language;
import tools.jackson.core.JsonGenerator;

/** The answer to a call that starts or changes a job: its id. */
record StartedJob(int importId) implements Answer {
  @Override
  public void write(JsonGenerator out, Language language) {
    out.writeStartObject();
    out.writeBooleanProperty("success", true);
    out.writeStringProperty("msg", "");
    out.writeStringProperty("job", Integer.toString(importId));
    out.writeEndObject();
  }
}
