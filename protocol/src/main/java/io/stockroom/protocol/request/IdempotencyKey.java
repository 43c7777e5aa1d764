package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import java.util.List;
import java.util.function.Function;

/** The optional header {@code Idempotency-Key}. */
public final class IdempotencyKey {
  public static final String HEADER = "Idempotency-Key";
  public static final int MAX_CHARACTERS = 64;

  private static final String AT = "headers." + HEADER;

  private IdempotencyKey() {}

  /**
   * Reads the header; empty if there is none.
   *
   * @param values returns all values of a header; names are case-insensitive
   */
  public static String read(Function<String, List<String>> values) throws InvalidRequest {
    List<String> all = values.apply(HEADER);
    if (all.isEmpty()) {
      return "";
    }
    if (all.size() > 1) {
      throw InvalidRequest.of(AT, ErrorCode.HEADER_REPEATED, HEADER, all.size());
    }
    String key = all.get(0).strip();
    if (!isWellFormed(key)) {
      throw InvalidRequest.of(AT, ErrorCode.IDEMPOTENCY_KEY_FORMAT, key, MAX_CHARACTERS);
    }
    return key;
  }

  /** Whether the key has 1 to 64 characters, all of them visible ASCII. */
  public static boolean isWellFormed(String key) {
    return !key.isEmpty()
        && key.length() <= MAX_CHARACTERS
        && key.chars().allMatch(c -> c > ' ' && c < 127);
  }

  /** The problem of a call that writes, but takes no key. */
  public static InvalidRequest unsupported(String path) {
    return InvalidRequest.of(AT, ErrorCode.IDEMPOTENCY_KEY_UNSUPPORTED, path);
  }
}
