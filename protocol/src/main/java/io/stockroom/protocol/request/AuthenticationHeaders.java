package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Signature;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The authentication headers of a request, with a valid format. The server still has to verify
 * them.
 *
 * @param hmac whether {@code sign} is an HMAC of the whole request rather than the MD5 signature
 * @param nonce empty if there is none
 */
public record AuthenticationHeaders(
    String appid, String sign, String timestamp, String accesstoken, boolean hmac, String nonce) {
  public static final int MAX_CHARACTERS = 256;
  public static final String HMAC = "hmac-sha256";

  private static final String SIGN_METHOD = "sign-method";
  private static final String NONCE = "sign-nonce";
  private static final int TIMESTAMP_DIGITS = 10;

  /**
   * Reads the headers.
   *
   * @param values returns all values of a header; names are case-insensitive
   */
  public static AuthenticationHeaders read(Function<String, List<String>> values)
      throws InvalidRequest {
    return new Reader(values).read();
  }

  /** Unix time in seconds has ten digits until the year 2286. */
  public static boolean isTimestamp(String text) {
    if (text.length() != TIMESTAMP_DIGITS) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  /** Keeps signatures and tokens out of logs. */
  @Override
  public String toString() {
    return "AuthenticationHeaders[appid=" + appid + "]";
  }

  private static final class Reader {
    private final Function<String, List<String>> values;
    private final Problems problems = new Problems();

    private Reader(Function<String, List<String>> values) {
      this.values = values;
    }

    private AuthenticationHeaders read() throws InvalidRequest {
      String appid = only("appid");
      String sign = only("sign");
      String timestamp = only("timestamp");
      String accesstoken = only("accesstoken");
      boolean hmac = isHmac();
      String nonce = nonce(hmac);
      if (sign != null
          && !(hmac ? Signature.isWellFormedHmac(sign) : Signature.isWellFormed(sign))) {
        problems.add("headers.sign", ErrorCode.SIGN_FORMAT, sign);
      }
      if (timestamp != null && !isTimestamp(timestamp)) {
        problems.add("headers.timestamp", ErrorCode.TIMESTAMP_FORMAT, timestamp);
      }
      if (problems.any()
          || appid == null
          || sign == null
          || timestamp == null
          || accesstoken == null) {
        throw problems.invalidRequest();
      }
      return new AuthenticationHeaders(appid, sign, timestamp, accesstoken, hmac, nonce);
    }

    /** Reads the nonce; empty if there is none or if it is invalid, which is noted as a problem. */
    private String nonce(boolean hmac) {
      String nonce = values.apply(NONCE).isEmpty() ? null : only(NONCE);
      if (nonce == null) {
        return "";
      }
      if (!Signature.isWellFormedNonce(nonce)) {
        problems.add(
            "headers." + NONCE,
            ErrorCode.NONCE_FORMAT,
            nonce,
            Signature.MIN_NONCE_CHARACTERS,
            Signature.MAX_NONCE_CHARACTERS);
      }
      if (!hmac) {
        problems.add("headers." + NONCE, ErrorCode.NONCE_UNSIGNED);
      }
      return nonce;
    }

    private boolean isHmac() {
      List<String> methods = values.apply(SIGN_METHOD);
      if (methods.isEmpty()) {
        return false;
      }
      if (methods.size() > 1 || !methods.get(0).equalsIgnoreCase(HMAC)) {
        problems.add("headers." + SIGN_METHOD, ErrorCode.SIGN_METHOD, methods.get(0));
      }
      return true;
    }

    private @Nullable String only(String name) {
      List<String> all = values.apply(name);
      if (all.size() > 1) {
        problems.add("headers." + name, ErrorCode.HEADER_REPEATED, name, all.size());
        return null;
      }
      String value = all.isEmpty() ? "" : all.get(0).strip();
      if (value.isEmpty()) {
        problems.add("headers." + name, ErrorCode.HEADER_MISSING, name);
        return null;
      }
      if (value.length() > MAX_CHARACTERS || !isPlain(value)) {
        problems.add("headers." + name, ErrorCode.HEADER_FORMAT, name, MAX_CHARACTERS);
        return null;
      }
      return value;
    }

    private static boolean isPlain(String value) {
      for (int i = 0; i < value.length(); i++) {
        if (value.charAt(i) <= ' ' || value.charAt(i) >= 127) {
          return false;
        }
      }
      return true;
    }
  }
}
