package io.stockroom.core.changes;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * One change of one product, as the feed and webhooks show it.
 *
 * @param kind {@code stock} or {@code product}
 * @param batch the number that changes of one transaction share
 * @param entries the stock entries that changed; empty if the product itself changed
 * @param created whether the product is new; false for a change of stock
 * @param fields the fields of the product that changed; empty for a change of stock
 */
public record Change(
    long number,
    Instant at,
    String kind,
    int productId,
    @Nullable String artNo,
    String source,
    long batch,
    List<Entry> entries,
    boolean created,
    List<String> fields) {
  /** The kind of a change of stock. */
  public static final String STOCK = "stock";

  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  /**
   * A stock entry that changed.
   *
   * @param before null if the entry is new
   * @param after null if the entry was removed
   */
  public record Entry(
      @Nullable UUID guid,
      @Nullable String barCode,
      @Nullable String color,
      int size,
      @Nullable Integer before,
      @Nullable Integer after) {
    private void write(JsonGenerator out) {
      out.writeStartObject();
      writeText(out, "guid", guid == null ? null : hex(guid));
      writeText(out, "barCode", barCode);
      writeText(out, "color", color);
      out.writeNumberProperty("size", size);
      writeNumber(out, "before", before);
      writeNumber(out, "after", after);
      out.writeEndObject();
    }
  }

  /** Writes this change as a JSON object. */
  public void write(JsonGenerator out) {
    out.writeStartObject();
    out.writeNumberProperty("number", number);
    out.writeStringProperty("at", MILLIS.format(at));
    out.writeStringProperty("kind", kind);
    out.writeNumberProperty("pid", productId);
    writeText(out, "artNo", artNo);
    out.writeStringProperty("source", source);
    out.writeStringProperty("batch", "b_" + batch);
    if (kind.equals(STOCK)) {
      out.writeArrayPropertyStart("entries");
      entries.forEach(entry -> entry.write(out));
      out.writeEndArray();
    } else {
      out.writeBooleanProperty("created", created);
      out.writeArrayPropertyStart("fields");
      fields.forEach(out::writeString);
      out.writeEndArray();
    }
    out.writeEndObject();
  }

  /** The 32 hexadecimal characters that the interface shows. */
  private static String hex(UUID guid) {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(guid.getMostSignificantBits())
        + hex.toHexDigits(guid.getLeastSignificantBits());
  }

  private static void writeText(JsonGenerator out, String name, @Nullable String value) {
    out.writeName(name);
    if (value == null) {
      out.writeNull();
    } else {
      out.writeString(value);
    }
  }

  private static void writeNumber(JsonGenerator out, String name, @Nullable Integer value) {
    out.writeName(name);
    if (value == null) {
      out.writeNull();
    } else {
      out.writeNumber(value.intValue());
    }
  }
}
