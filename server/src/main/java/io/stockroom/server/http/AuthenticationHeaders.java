package io.stockroom.server.http;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Signature;
import io.stockroom.server.access.Claim;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the four headers every request carries; their form only, not whether they are right. */
final class AuthenticationHeaders {
  private static final int MOST_CHARACTERS = 256;
  private static final Pattern SECONDS = Pattern.compile("[0-9]{10}");

  private AuthenticationHeaders() {}

  static @Nullable Claim read(HttpServletRequest request, Problems problems) {
    String appid = only(request, "appid", problems);
    String sign = only(request, "sign", problems);
    String timestamp = only(request, "timestamp", problems);
    String accesstoken = only(request, "accesstoken", problems);
    if (sign != null && !Signature.isWellFormed(sign)) {
      problems.add("headers.sign", ErrorCode.SIGN_FORMAT, sign);
    }
    if (timestamp != null && !SECONDS.matcher(timestamp).matches()) {
      problems.add("headers.timestamp", ErrorCode.TIMESTAMP_FORMAT, timestamp);
    }
    if (appid == null || sign == null || timestamp == null || accesstoken == null) {
      return null;
    }
    return problems.any() ? null : new Claim(appid, sign, timestamp, accesstoken);
  }

  private static @Nullable String only(HttpServletRequest request, String name, Problems problems) {
    List<String> values = Collections.list(request.getHeaders(name));
    if (values.size() > 1) {
      problems.add("headers." + name, ErrorCode.HEADER_REPEATED, name, values.size());
      return null;
    }
    String value = values.isEmpty() ? "" : values.getFirst().strip();
    if (value.isEmpty()) {
      problems.add("headers." + name, ErrorCode.HEADER_MISSING, name);
      return null;
    }
    if (value.length() > MOST_CHARACTERS || !value.chars().allMatch(c -> c > ' ' && c < 127)) {
      problems.add("headers." + name, ErrorCode.HEADER_FORMAT, name, MOST_CHARACTERS);
      return null;
    }
    return value;
  }
}
