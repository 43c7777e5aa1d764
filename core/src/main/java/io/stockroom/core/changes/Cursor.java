package io.stockroom.core.changes;

import java.nio.ByteBuffer;
import java.util.Arrays;
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
  private static final int BYTES = 2 * Long.BYTES;

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
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).putLong(log).putLong(number);
    return PREFIX + encode(bytes.array());
  }

  /** Reads a cursor's text; null if {@link #text} did not write it. */
  public static @Nullable Cursor parse(String text) {
    byte[] bytes = text.startsWith(PREFIX) ? decode(text.substring(2), BYTES) : null;
    if (bytes == null) {
      return null;
    }
    ByteBuffer content = ByteBuffer.wrap(bytes);
    return new Cursor(content.getLong(), content.getLong());
  }

  /** Writes the content and a checksum as text. */
  public static String encode(byte[] content) {
    ByteBuffer bytes = ByteBuffer.allocate(content.length + Integer.BYTES).put(content);
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(bytes.putInt(checksum(content)).array());
  }

  /** The content that {@link #encode} wrote; null if it did not, or with another length. */
  public static byte @Nullable [] decode(String text, int length) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      byte[] content = Arrays.copyOf(bytes, length);
      // also rejects other spellings: the last character has unused bits
      return encode(content).equals(text) ? content : null;
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }

  private static int checksum(byte[] content) {
    CRC32C checksum = new CRC32C();
    checksum.update(content);
    return (int) checksum.getValue();
  }
}
