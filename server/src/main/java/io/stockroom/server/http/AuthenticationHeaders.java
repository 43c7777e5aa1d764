package io.stockroom.server.http;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Signature;
import io.stockroom.server.access.SignedHeaders;
import io.stockroom.server.call.Problems;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the four headers every request carries; their form only, not whether they are right. */
final class AuthenticationHeaders {
  private static final int MOST_CHARACTERS = 256;
  private static final String NONCE = "sign-nonce";

  private AuthenticationHeaders() {}

  static @Nullable SignedHeaders read(
      HttpServletRequest request, Body body, String address, Problems problems) {
    String appid = only(request, "appid", problems);
    String sign = only(request, "sign", problems);
    String timestamp = only(request, "timestamp", problems);
    String accesstoken = only(request, "accesstoken", problems);
    boolean hmac = isHmac(request, problems);
    String nonce = nonce(request, hmac, problems);
    if (sign != null && !(hmac ? Signature.isWellFormedHmac(sign) : Signature.isWellFormed(sign))) {
      problems.add("headers.sign", ErrorCode.SIGN_FORMAT, sign);
    }
    if (timestamp != null && !isSeconds(timestamp)) {
      problems.add("headers.timestamp", ErrorCode.TIMESTAMP_FORMAT, timestamp);
    }
    if (problems.any()
        || appid == null
        || sign == null
        || timestamp == null
        || accesstoken == null) {
      return null;
    }
    SignedHeaders.Signed signed;
    if (hmac) {
      byte[] bytes = body.read(problems);
      if (bytes == null) {
        return null;
      }
      String text =
          Signature.signedText(
              request.getMethod(), target(request), timestamp, accesstoken, bytes, nonce);
      signed = new SignedHeaders.Hmac(text, sign, nonce);
    } else {
      signed = new SignedHeaders.Md5(timestamp, sign);
    }
    return new SignedHeaders(appid, timestamp, accesstoken, signed, address);
  }

  /** The nonce; empty where there is none, or after noting why it is of no use. */
  private static String nonce(HttpServletRequest request, boolean hmac, Problems problems) {
    if (request.getHeader(NONCE) == null) {
      return "";
    }
    String nonce = only(request, NONCE, problems);
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

  private static boolean isHmac(HttpServletRequest request, Problems problems) {
    if (request.getHeader("sign-method") == null) {
      return false;
    }
    List<String> methods = Collections.list(request.getHeaders("sign-method"));
    if (methods.size() > 1 || !methods.getFirst().equalsIgnoreCase("hmac-sha256")) {
      problems.add("headers.sign-method", ErrorCode.SIGN_METHOD, methods.getFirst());
    }
    return true;
  }

  private static String target(HttpServletRequest request) {
    String query = request.getQueryString();
    return request.getRequestURI() + (query == null ? "" : "?" + query);
  }

  private static @Nullable String only(HttpServletRequest request, String name, Problems problems) {
    Enumeration<String> values = request.getHeaders(name);
    String value = values.hasMoreElements() ? values.nextElement().strip() : "";
    if (values.hasMoreElements()) {
      int count = 1 + Collections.list(values).size();
      problems.add("headers." + name, ErrorCode.HEADER_REPEATED, name, count);
      return null;
    }
    if (value.isEmpty()) {
      problems.add("headers." + name, ErrorCode.HEADER_MISSING, name);
      return null;
    }
    if (value.length() > MOST_CHARACTERS || !isPlain(value)) {
      problems.add("headers." + name, ErrorCode.HEADER_FORMAT, name, MOST_CHARACTERS);
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

  /** Unix time in seconds has ten digits until the year 2286. */
  private static boolean isSeconds(String timestamp) {
    if (timestamp.length() != 10) {
      return false;
    }
    for (int i = 0; i < timestamp.length(); i++) {
      if (timestamp.charAt(i) < '0' || timestamp.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }
}
