package io.stockroom.core.call;

import io.stockroom.protocol.Language;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.function.UnaryOperator;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** What goes back to the caller: its status, its headers, and its fields as JSON. */
public interface Answer {
  /** The header with the error code of an answer that has status 200 but is not a success. */
  String ERROR_CODE = "X-Error-Code";

  JsonFactory FACTORY = new JsonFactory();

  void write(JsonGenerator out, Language language);

  /** The answer as JSON in UTF-8. */
  default byte[] json(Language language) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(expectedBytes());
    try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
      write(out, language);
    }
    return bytes.toByteArray();
  }

  /** About how large {@link #json} will be, so that a large answer is not copied while it grows. */
  default int expectedBytes() {
    return 1024;
  }

  /**
   * The compressed form of {@link #json}. An answer that is sent often keeps it.
   *
   * @param body what {@link #json} returned
   */
  default byte[] gzip(byte[] body, UnaryOperator<byte[]> compressor) {
    return compressor.apply(body);
  }

  default int status() {
    return 200;
  }

  /** The error code of a call that did not succeed; empty where it did. */
  default String code() {
    return headers().getOrDefault(ERROR_CODE, "");
  }

  default Map<String, String> headers() {
    return Map.of();
  }
}
