package io.stockroom.core.webhooks;

import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The ids that people see: a prefix and the 32 hexadecimal characters of a UUID. */
final class WebhookIds {
  private static final String WEBHOOK = "wh_";
  private static final String MESSAGE = "msg_";
  private static final Pattern WEBHOOK_ID = Pattern.compile(WEBHOOK + "[0-9a-f]{32}");

  private WebhookIds() {}

  static String webhook(UUID id) {
    return WEBHOOK + hex(id);
  }

  static String message(UUID id) {
    return MESSAGE + hex(id);
  }

  /** Null if the text is not the id of a webhook. */
  static @Nullable UUID parse(String text) {
    if (!WEBHOOK_ID.matcher(text).matches()) {
      return null;
    }
    int middle = WEBHOOK.length() + 16;
    return new UUID(
        HexFormat.fromHexDigitsToLong(text, WEBHOOK.length(), middle),
        HexFormat.fromHexDigitsToLong(text, middle, text.length()));
  }

  private static String hex(UUID id) {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(id.getMostSignificantBits())
        + hex.toHexDigits(id.getLeastSignificantBits());
  }
}
