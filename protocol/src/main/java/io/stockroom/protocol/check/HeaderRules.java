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

  private static void present(CheckInput facts, CheckProblems problems) {
    for (String name : CheckInput.HEADERS) {
      if (!facts.isRejected(ErrorCode.HEADER_MISSING, name)) {
        continue;
      }
      Optional<Header> meant = meant(name, facts.request());
      if (meant.isPresent()) {
        problems.add(Cause.HEADER_MISSPELT, "headers." + name, name, meant.get().name());
      } else if (isField(name, facts.request().query())) {
        problems.add(Cause.HEADER_ELSEWHERE, "headers." + name, name + ": …", "?" + name + "=…");
      } else if (isField(name, facts.body())) {
        problems.add(Cause.HEADER_ELSEWHERE, "headers." + name, name + ": …", name + "=…");
      } else {
        problems.add(Cause.HEADER_MISSING, "headers." + name, name + ": …", "");
      }
    }
  }

  private static Optional<Header> meant(String name, CapturedRequest request) {
    return request.headers().stream()
        .filter(header -> !CheckInput.HEADERS.contains(header.name().toLowerCase(Locale.ROOT)))
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

  private static void once(CheckInput facts, CheckProblems problems) {
    for (String name : CheckInput.HEADERS) {
      List<String> values = facts.request().values(name);
      if (facts.isRejected(ErrorCode.HEADER_REPEATED, name)) {
        problems.add(
            Cause.HEADER_REPEATED, "headers." + name, "1 × " + name, values.size() + " × " + name);
      } else if (values.size() == 1 && values.get(0).matches("[^,]+,\\s*[^,]+")) {
        problems.add(Cause.HEADER_JOINED, "headers." + name, "1", shown(name, values.get(0)));
      }
    }
  }

  /** Finds values that are in each other's headers, by their formats. */
  private static void swapped(CheckInput facts, CheckProblems problems) {
    String sign = facts.header("sign");
    String timestamp = facts.header("timestamp");
    if (sign.matches("[0-9]{10}") && timestamp.matches("[0-9A-Fa-f]{32}")) {
      problems.add(Cause.HEADERS_SWAPPED, "headers.sign", "sign ↔ timestamp", sign);
    }
    String appid = facts.header("appid");
    String token = facts.header("accesstoken");
    if (appid.startsWith("srt_") || token.startsWith("app_")) {
      problems.add(
          Cause.HEADERS_SWAPPED,
          "headers.appid",
          "appid: app_…, accesstoken: srt_…",
          "appid: %s, accesstoken: %s"
              .formatted(CheckInput.masked(appid), CheckInput.masked(token)));
    }
  }

  private static void whole(CheckInput facts, CheckProblems problems) {
    for (String name : CheckInput.HEADERS) {
      String where = "headers." + name;
      String value = facts.header(name);
      if (value.isEmpty() || problems.at(where)) {
        continue;
      }
      String shown = shown(name, value);
      if (name.equals("accesstoken") && value.toLowerCase(Locale.ROOT).startsWith("bearer")) {
        problems.add(Cause.TOKEN_BEARER, where, "srt_…", "Bearer …");
      } else if (PLACEHOLDER.matcher(value).matches()) {
        problems.add(Cause.HEADER_PLACEHOLDER, where, "", value);
      } else if (value.matches("([\"']).*\\1|[“‘].*[”’]")) {
        problems.add(Cause.HEADER_QUOTED, where, "", value.charAt(0) + "…" + last(value));
      } else if (ENCODED.matcher(value).matches()) {
        problems.add(Cause.HEADER_ENCODED, where, "", shown);
      } else if (facts.isRejected(ErrorCode.HEADER_FORMAT, name)) {
        format(where, value, problems);
      }
    }
  }

  private static void format(String where, String value, CheckProblems problems) {
    Optional<String> odd = odd(value);
    if (odd.isPresent()) {
      problems.add(Cause.HEADER_CHARACTERS, where, "A-Z a-z 0-9 _ -", odd.get());
    } else {
      String most = "≤ " + AuthenticationHeaders.MAX_CHARACTERS;
      problems.add(Cause.HEADER_TOO_LONG, where, most, "" + value.length());
    }
  }

  private static void idempotencyKey(CheckInput facts, CheckProblems problems) {
    String name = IdempotencyKey.HEADER;
    String where = "headers." + name;
    if (facts.isRejected(ErrorCode.HEADER_REPEATED, name)) {
      String sent = facts.request().values(name).size() + " × " + name;
      problems.add(Cause.HEADER_REPEATED, where, "1 × " + name, sent);
    } else if (facts.isRejected(ErrorCode.IDEMPOTENCY_KEY_FORMAT, name)) {
      String expected = "1 … %d × ! … ~".formatted(IdempotencyKey.MAX_CHARACTERS);
      problems.add(Cause.IDEMPOTENCY_KEY_FORMAT, where, expected, facts.header(name));
    }
  }

  private static void secretSent(CheckInput facts, CheckProblems problems) {
    String secret = facts.known().secret();
    for (Header header : facts.request().headers()) {
      boolean named =
          header
              .name()
              .toLowerCase(Locale.ROOT)
              .replaceAll("[-_.]", "")
              .matches("(app)?secret(key)?");
      if (named || (secret != null && secret.length() >= 8 && header.value().contains(secret))) {
        problems.add(Cause.SECRET_SENT, "headers." + header.name(), "", header.name() + ": …");
      }
    }
  }

  /** Shows an appid or a timestamp whole; clips signatures and tokens. */
  private static String shown(String name, String value) {
    return name.equals("appid") || name.equals("timestamp") ? value : CheckInput.masked(value);
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
