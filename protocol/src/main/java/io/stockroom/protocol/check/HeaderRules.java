package io.stockroom.protocol.check;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.check.CapturedRequest.Header;
import io.stockroom.protocol.request.AuthenticationHeaders;
import io.stockroom.protocol.request.IdempotencyKey;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks that each of the four headers occurs once and is complete. */
final class HeaderRules {
  static final List<Rule> ALL =
      List.of(
          HeaderRules::present,
          HeaderRules::once,
          HeaderRules::swapped,
          HeaderRules::whole,
          HeaderRules::idempotencyKey,
          HeaderRules::secretSent);

  /** Common wrong names for headers. */
  private static final Map<String, Set<String>> ALIASES =
      Map.of(
          "appid", Set.of("appkey", "app", "applicationid", "clientid", "key"),
          "sign", Set.of("sing", "sgin", "signature", "signed", "md5", "xsign"),
          "timestamp", Set.of("time", "ts", "times", "timespan", "date", "datetime"),
          "accesstoken", Set.of("token", "authorization", "session", "accesskey", "xaccesstoken"));

  /** {@code $TOKEN}, {@code {{token}}}, {@code <token>}, {@code YOUR_TOKEN}, {@code xxxx}. */
  private static final Pattern PLACEHOLDER =
      Pattern.compile(
          "\\$\\{?\\(?[A-Za-z_].*|\\{\\{?.*}}?|<.*>|\\[.*]|.*(?:…|\\.{3})|(?i:your[-_ ]?.*|x{4,}|\\*{3,}|\\.{3,}"
              + "|appid|sign|timestamp|accesstoken|app_id|access_token|secret|token|todo)");

  private static final Pattern ENCODED = Pattern.compile(".*%[0-9A-Fa-f]{2}.*");

  private HeaderRules() {}

  private static void present(Check check) {
    for (String name : Check.HEADERS) {
      if (!check.isRejected(ErrorCode.HEADER_MISSING, name)) {
        continue;
      }
      Optional<Header> meant = meant(name, check.request());
      if (meant.isPresent()) {
        check.report(Cause.HEADER_MISSPELT, "headers." + name, name, meant.get().name());
      } else if (isField(name, check.request().query())) {
        check.report(Cause.HEADER_ELSEWHERE, "headers." + name, name + ": …", "?" + name + "=…");
      } else if (isField(name, check.body())) {
        check.report(Cause.HEADER_ELSEWHERE, "headers." + name, name + ": …", name + "=…");
      } else {
        check.report(Cause.HEADER_MISSING, "headers." + name, name + ": …", "");
      }
    }
  }

  private static Optional<Header> meant(String name, CapturedRequest request) {
    return request.headers().stream()
        .filter(header -> !Check.HEADERS.contains(header.name().toLowerCase(Locale.ROOT)))
        .filter(header -> isLike(name, header.name()))
        .findFirst();
  }

  private static boolean isLike(String name, String written) {
    String plain = written.toLowerCase(Locale.ROOT).replaceAll("[-_. ]", "");
    // sign-method is another header, and short names are close to many words
    boolean near =
        !plain.equals("signmethod")
            && NearestWord.nearest(written, List.of(name), name.length() < 6 ? 1 : 2).isPresent();
    return near || ALIASES.getOrDefault(name, Set.of()).contains(plain);
  }

  private static boolean isField(String name, String form) {
    return Pattern.compile("(?i)(^|&|\\?)" + name + "=").matcher(form).find();
  }

  private static void once(Check check) {
    for (String name : Check.HEADERS) {
      List<String> values = check.request().values(name);
      if (check.isRejected(ErrorCode.HEADER_REPEATED, name)) {
        check.report(
            Cause.HEADER_REPEATED, "headers." + name, "1 × " + name, values.size() + " × " + name);
      } else if (values.size() == 1 && values.get(0).matches("[^,]+,\\s*[^,]+")) {
        check.report(Cause.HEADER_JOINED, "headers." + name, "1", shown(name, values.get(0)));
      }
    }
  }

  /** Finds values that are in each other's headers, by their formats. */
  private static void swapped(Check check) {
    String sign = check.header("sign");
    String timestamp = check.header("timestamp");
    if (sign.matches("[0-9]{10}") && timestamp.matches("[0-9A-Fa-f]{32}")) {
      check.report(Cause.HEADERS_SWAPPED, "headers.sign", "sign ↔ timestamp", sign);
    }
    String appid = check.header("appid");
    String token = check.header("accesstoken");
    if (appid.startsWith("srt_") || token.startsWith("app_")) {
      check.report(
          Cause.HEADERS_SWAPPED,
          "headers.appid",
          "appid: app_…, accesstoken: srt_…",
          "appid: %s, accesstoken: %s".formatted(Check.masked(appid), Check.masked(token)));
    }
  }

  private static void whole(Check check) {
    for (String name : Check.HEADERS) {
      String where = "headers." + name;
      String value = check.header(name);
      if (value.isEmpty() || check.hasProblemAt(where)) {
        continue;
      }
      String shown = shown(name, value);
      if (name.equals("accesstoken") && value.toLowerCase(Locale.ROOT).startsWith("bearer")) {
        check.report(Cause.TOKEN_BEARER, where, "srt_…", "Bearer …");
      } else if (PLACEHOLDER.matcher(value).matches()) {
        check.report(Cause.HEADER_PLACEHOLDER, where, "", value);
      } else if (value.matches("([\"']).*\\1|[“‘].*[”’]")) {
        check.report(Cause.HEADER_QUOTED, where, "", value.charAt(0) + "…" + last(value));
      } else if (ENCODED.matcher(value).matches()) {
        check.report(Cause.HEADER_ENCODED, where, "", shown);
      } else if (check.isRejected(ErrorCode.HEADER_FORMAT, name)) {
        format(where, value, check);
      }
    }
  }

  private static void format(String where, String value, Check check) {
    Optional<String> odd = odd(value);
    if (odd.isPresent()) {
      check.report(Cause.HEADER_CHARACTERS, where, "A-Z a-z 0-9 _ -", odd.get());
    } else {
      String most = "≤ " + AuthenticationHeaders.MAX_CHARACTERS;
      check.report(Cause.HEADER_TOO_LONG, where, most, "" + value.length());
    }
  }

  private static void idempotencyKey(Check check) {
    String name = IdempotencyKey.HEADER;
    String where = "headers." + name;
    if (check.isRejected(ErrorCode.HEADER_REPEATED, name)) {
      String sent = check.request().values(name).size() + " × " + name;
      check.report(Cause.HEADER_REPEATED, where, "1 × " + name, sent);
    } else if (check.isRejected(ErrorCode.IDEMPOTENCY_KEY_FORMAT, name)) {
      String expected = "1 … %d × ! … ~".formatted(IdempotencyKey.MAX_CHARACTERS);
      check.report(Cause.IDEMPOTENCY_KEY_FORMAT, where, expected, check.header(name));
    }
  }

  private static void secretSent(Check check) {
    String secret = check.known().secret();
    for (Header header : check.request().headers()) {
      boolean named =
          header
              .name()
              .toLowerCase(Locale.ROOT)
              .replaceAll("[-_.]", "")
              .matches("(app)?secret(key)?");
      if (named || (secret != null && secret.length() >= 8 && header.value().contains(secret))) {
        check.report(Cause.SECRET_SENT, "headers." + header.name(), "", header.name() + ": …");
      }
    }
  }

  /** Shows an appid or a timestamp whole; clips signatures and tokens. */
  private static String shown(String name, String value) {
    return name.equals("appid") || name.equals("timestamp") ? value : Check.masked(value);
  }

  private static char last(String value) {
    return value.charAt(value.length() - 1);
  }

  /** The first character that is invalid in a header, by its code point. */
  private static Optional<String> odd(String value) {
    return value
        .codePoints()
        .filter(point -> point <= ' ' || point >= 127)
        .mapToObj(point -> "U+%04X (%s)".formatted(point, Character.getName(point)))
        .findFirst();
  }
}
