package io.stockroom.core.changes;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A place in a merchant's log: the changes up to {@code number} were seen. Clients treat its text
 * as opaque. The checksum detects a cursor that was typed or cut; the log's id one of another
 * merchant or database.
 *
 * @param log the first half of the log's id, which is random
 */
public record Cursor(long log, long number) {
  private static final String PREFIX = "c_";
  private static final int BYTES = 2 * Long.BYTES + Integer.BYTES;

  public static Cursor of(UUID logId, long number) {
    return new Cursor(log(logId), number);
  }

  /** Whether this is a cursor of that log. */
  public boolean isOf(UUID logId) {
    return log == log(logId);
  }

  private static long log(UUID logId) {
    return logId.getMostSignificantBits();
  }

  /** The text that clients see. */
  public String text() {
    return PREFIX + encode(ByteBuffer.allocate(BYTES).putLong(log).putLong(number));
  }

  /** Reads a cursor's text; null if {@link #text} did not write it. */
  public static @Nullable Cursor parse(String text) {
    ByteBuffer bytes = text.startsWith(PREFIX) ? decode(text.substring(2), BYTES) : null;
    return bytes == null ? null : new Cursor(bytes.getLong(), bytes.getLong());
  }

  /** Appends a checksum to the bytes, which have room for it, and writes all as text. */
  public static String encode(ByteBuffer bytes) {
    bytes.putInt(checksum(bytes));
    byte[] all = new byte[bytes.capacity()];
    bytes.get(0, all);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
  }

  /** The bytes of {@link #encode}; null if the text has another length or checksum. */
  public static @Nullable ByteBuffer decode(String text, int length) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
    if (bytes.length != length) {
      return null;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes).position(length - Integer.BYTES);
    boolean isWhole = buffer.getInt(buffer.position()) == checksum(buffer);
    // the last character has unused bits: only one spelling is valid
    boolean isCanonical =
        Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(text);
    return isWhole && isCanonical ? buffer.rewind() : null;
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.duplicate().flip());
    return (int) checksum.getValue();
  }
}
