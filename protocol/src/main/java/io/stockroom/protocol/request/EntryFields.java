package io.stockroom.protocol.request;

import io.stockroom.protocol.SizeRange;
import io.stockroom.protocol.Text;
import org.jspecify.annotations.Nullable;

/** Reads the fields that name a stock entry, with the same rules for every call that writes stock. */
final class EntryFields {
  private final JsonReader json;

  EntryFields(JsonReader json) {
    this.json = json;
  }

  @Nullable String color(JsonPath at) {
    String text = json.text(at);
    return text == null ? null : json.problems().check(at, () -> Text.color(text));
  }

  @Nullable String artNo(JsonPath at) {
    String text = json.text(at);
    return text == null ? null : json.problems().check(at, () -> Text.artNo(text));
  }

  @Nullable SizeRange sizes(JsonPath at) {
    String text = json.textOrNumber(at);
    return text == null ? null : json.problems().check(at, () -> SizeRange.parse(text));
  }

  /** Null and the empty string both mean no barcode. */
  @Nullable String barCode(JsonPath at) {
    if (json.isNull()) {
      return null;
    }
    String text = json.text(at);
    return text == null || text.isBlank()
        ? null
        : json.problems().check(at, () -> Text.barCode(text));
  }
}
