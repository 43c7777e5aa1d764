package io.stockroom.server.http;

import io.stockroom.protocol.Language;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** What goes back to the caller: it knows its status and how it is written, field by field. */
public interface Answer {
  void write(JsonGenerator out, Language language);

  default int status() {
    return 200;
  }

  default Map<String, String> headers() {
    return Map.of();
  }
}
