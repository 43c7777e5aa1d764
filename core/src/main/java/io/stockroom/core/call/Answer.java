package io.stockroom.core.call;

import io.stockroom.protocol.Language;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** What goes back to the caller: it knows its status and how it is written, field by field. */
public interface Answer {
  /** The header in which an answer with status 200 says why it is no success. */
  String ERROR_CODE = "X-Error-Code";

  JsonFactory FACTORY = new JsonFactory();

  void write(JsonGenerator out, Language language);

  /** The answer as JSON in UTF-8. */
  default byte[] json(Language language) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
      write(out, language);
    }
    return bytes.toByteArray();
  }

  default int status() {
    return 200;
  }

  default Map<String, String> headers() {
    return Map.of();
  }
}
