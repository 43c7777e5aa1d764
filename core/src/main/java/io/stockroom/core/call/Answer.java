package io.stockroom.core.call;

import io.stockroom.protocol.Language;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** What goes back to the caller: it knows its status and how it is written, field by field. */
public interface Answer {
  /** The header in which an answer with status 200 says why it is no success. */
  String ERROR_CODE = "X-Error-Code";

  void write(JsonGenerator out, Language language);

  default int status() {
    return 200;
  }

  default Map<String, String> headers() {
    return Map.of();
  }
}
