package io.stockroom.protocol.request;

import io.stockroom.protocol.Size;
import tools.jackson.core.JsonGenerator;

/** Writes sizes as the interface does. */
public final class SizeJson {
  private SizeJson() {}

  /** Writes a whole number as a JSON number, every other size as a string. */
  public static void write(JsonGenerator out, Size size) {
    if (size.number().isPresent()) {
      out.writeNumber(size.number().getAsInt());
    } else {
      out.writeString(size.text());
    }
  }
}
