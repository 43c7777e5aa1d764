package io.stockroom.core.changes;

import io.stockroom.protocol.Size;
import io.stockroom.protocol.request.SizeJson;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

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

  // encoded once: a page has a thousand of each
  private static final SerializableString NUMBER = new SerializedString("number");
  private static final SerializableString AT = new SerializedString("at");
  private static final SerializableString KIND = new SerializedString("kind");
  private static final SerializableString PID = new SerializedString("pid");
  private static final SerializableString ART_NO = new SerializedString("artNo");
  private static final SerializableString SOURCE = new SerializedString("source");
  private static final SerializableString BATCH = new SerializedString("batch");
  private static final SerializableString ENTRIES = new SerializedString("entries");
  private static final SerializableString GUID = new SerializedString("guid");
  private static final SerializableString BAR_CODE = new SerializedString("barCode");
  private static final SerializableString COLOR = new SerializedString("color");
  private static final SerializableString SIZE = new SerializedString("size");
  private static final SerializableString BEFORE = new SerializedString("before");
  private static final SerializableString AFTER = new SerializedString("after");

  /**
   * A stock entry that changed.
   *
   * @param guid 32 hexadecimal characters
   * @param before null if the entry is new
   * @param after null if the entry was removed
   */
  public record Entry(
      @Nullable String guid,
      @Nullable String barCode,
      @Nullable String color,
      Size size,
      @Nullable Integer before,
      @Nullable Integer after) {
    private void write(JsonGenerator out) {
      out.writeStartObject();
      writeText(out, GUID, guid);
      writeText(out, BAR_CODE, barCode);
      writeText(out, COLOR, color);
      out.writeName(SIZE);
      SizeJson.write(out, size);
      writeNumber(out, BEFORE, before);
      writeNumber(out, AFTER, after);
      out.writeEndObject();
    }
  }

  /** Writes this change as a JSON object. */
  public void write(JsonGenerator out) {
    out.writeStartObject();
    out.writeName(NUMBER);
    out.writeNumber(number);
    writeText(out, AT, millis(at));
    writeText(out, KIND, kind);
    out.writeName(PID);
    out.writeNumber(productId);
    writeText(out, ART_NO, artNo);
    writeText(out, SOURCE, source);
    writeText(out, BATCH, "b_" + batch);
    if (kind.equals(STOCK)) {
      out.writeName(ENTRIES);
      out.writeStartArray();
      for (Entry entry : entries) {
        entry.write(out);
      }
      out.writeEndArray();
    } else {
      out.writeBooleanProperty("created", created);
      out.writeArrayPropertyStart("fields");
      fields.forEach(out::writeString);
      out.writeEndArray();
    }
    out.writeEndObject();
  }

  /** Such as 2026-07-01T12:00:00.000Z: always with milliseconds, faster than with a formatter. */
  static String millis(Instant at) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(at.getEpochSecond(), 0, ZoneOffset.UTC);
    StringBuilder text = new StringBuilder(24);
    digits(text, time.getYear(), 1000).append('-');
    digits(text, time.getMonthValue(), 10).append('-');
    digits(text, time.getDayOfMonth(), 10).append('T');
    digits(text, time.getHour(), 10).append(':');
    digits(text, time.getMinute(), 10).append(':');
    digits(text, time.getSecond(), 10).append('.');
    return digits(text, at.getNano() / 1_000_000, 100).append('Z').toString();
  }

  private static StringBuilder digits(StringBuilder text, int number, int highest) {
    for (int unit = highest; unit > 0; unit /= 10) {
      text.append((char) ('0' + number / unit % 10));
    }
    return text;
  }

  private static void writeText(
      JsonGenerator out, SerializableString name, @Nullable String value) {
    out.writeName(name);
    if (value == null) {
      out.writeNull();
    } else {
      out.writeString(value);
    }
  }

  private static void writeNumber(
      JsonGenerator out, SerializableString name, @Nullable Integer value) {
    out.writeName(name);
    if (value == null) {
      out.writeNull();
    } else {
      out.writeNumber(value.intValue());
    }
  }
}
