package io.stockroom.core.webhooks;

import io.stockroom.core.changes.Change;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A message to a receiver. Its body is the same at every attempt.
 *
 * @param timestamp when the newest change happened, or the test began
 * @param cursor the place in the log after these changes
 */
record WebhookMessage(
    String type, UUID id, Instant timestamp, int merchantId, String cursor, List<Change> changes) {
  static final String CHANGES = "changes";
  static final String TEST = "test";

  private static final JsonFactory FACTORY = new JsonFactory();
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  byte[] body() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
      out.writeStartObject();
      out.writeStringProperty("type", type);
      out.writeStringProperty("timestamp", text(timestamp));
      out.writeObjectPropertyStart("data");
      out.writeNumberProperty("merchantId", merchantId);
      out.writeStringProperty("cursor", cursor);
      out.writeArrayPropertyStart("changes");
      changes.forEach(change -> change.write(out));
      out.writeEndArray();
      out.writeEndObject();
      out.writeEndObject();
    }
    return bytes.toByteArray();
  }

  /** A time with milliseconds, as the interface writes it. */
  static String text(Instant time) {
    return MILLIS.format(time);
  }

  @Nullable Long firstChange() {
    return changes.isEmpty() ? null : changes.getFirst().number();
  }

  @Nullable Long lastChange() {
    return changes.isEmpty() ? null : changes.getLast().number();
  }
}
