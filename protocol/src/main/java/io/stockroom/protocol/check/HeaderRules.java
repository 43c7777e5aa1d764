package io.stockroom.protocol.check;

import io.stockroom.protocol.check.CapturedRequest.Header;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Whether the four headers are there, once, and whole. */
final class HeaderRules {
  static final List<Rule> ALL =
      List.of(
          HeaderRules::present,
          HeaderRules::once,
          HeaderRules::swapped,
          HeaderRules::whole,
          HeaderRules::secretSent);

  private static final int MOST_CHARACTERS = 256;

  /** What people write for a header whose name they remember only roughly. */
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

  private static void present(Facts facts, Findings findings) {
    for (String name : Facts.HEADERS) {
      if (!facts.header(name).isEmpty()) {
        continue;
      }
      Optional<Header> meant = meant(name, facts.request());
      if (meant.isPresent()) {
        findings.add(Mistake.HEADER_MISSPELT, "headers." + name, name, meant.get().name());
      } else if (isField(name, facts.request().query())) {
        findings.add(Mistake.HEADER_ELSEWHERE, "headers." + name, name + ": …", "?" + name + "=…");
      } else if (isField(name, facts.body())) {
        findings.add(Mistake.HEADER_ELSEWHERE, "headers." + name, name + ": …", name + "=…");
      } else {
        findings.add(Mistake.HEADER_MISSING, "headers." + name, name + ": …", "");
      }
    }
  }

  private static Optional<Header> meant(String name, CapturedRequest request) {
    return request.headers().stream()
        .filter(header -> !Facts.HEADERS.contains(header.name().toLowerCase(Locale.ROOT)))
        .filter(header -> isLike(name, header.name()))
        .findFirst();
  }

  private static boolean isLike(String name, String written) {
    String plain = written.toLowerCase(Locale.ROOT).replaceAll("[-_. ]", "");
    // sign-method is a header of its own, and a short name is near to many
    boolean near =
        !plain.equals("signmethod")
            && Likeness.nearest(written, List.of(name), name.length() < 6 ? 1 : 2).isPresent();
    return near || ALIASES.getOrDefault(name, Set.of()).contains(plain);
  }

  private static boolean isField(String name, String form) {
    return Pattern.compile("(?i)(^|&|\\?)" + name + "=").matcher(form).find();
  }

  private static void once(Facts facts, Findings findings) {
    for (String name : Facts.HEADERS) {
      List<String> values = facts.request().values(name);
      if (values.size() > 1) {
        findings.add(
            Mistake.HEADER_REPEATED,
            "headers." + name,
            "1 × " + name,
            values.size() + " × " + name);
      } else if (values.size() == 1 && values.get(0).matches("[^,]+,\\s*[^,]+")) {
        findings.add(Mistake.HEADER_JOINED, "headers." + name, "1", shown(name, values.get(0)));
      }
    }
  }

  /** The kinds of value cannot be mistaken for each other. */
  private static void swapped(Facts facts, Findings findings) {
    String sign = facts.header("sign");
    String timestamp = facts.header("timestamp");
    if (sign.matches("[0-9]{10}") && timestamp.matches("[0-9A-Fa-f]{32}")) {
      findings.add(Mistake.HEADERS_SWAPPED, "headers.sign", "sign ↔ timestamp", sign);
    }
    String appid = facts.header("appid");
    String token = facts.header("accesstoken");
    if (appid.startsWith("srt_") || token.startsWith("app_")) {
      findings.add(
          Mistake.HEADERS_SWAPPED,
          "headers.appid",
          "appid: app_…, accesstoken: srt_…",
          "appid: %s, accesstoken: %s".formatted(Facts.masked(appid), Facts.masked(token)));
    }
  }

  private static void whole(Facts facts, Findings findings) {
    for (String name : Facts.HEADERS) {
      String where = "headers." + name;
      String value = facts.header(name);
      if (value.isEmpty() || findings.at(where)) {
        continue;
      }
      String shown = shown(name, value);
      if (name.equals("accesstoken") && value.toLowerCase(Locale.ROOT).startsWith("bearer")) {
        findings.add(Mistake.TOKEN_BEARER, where, "srt_…", "Bearer …");
      } else if (PLACEHOLDER.matcher(value).matches()) {
        findings.add(Mistake.HEADER_PLACEHOLDER, where, "", value);
      } else if (value.matches("([\"']).*\\1|[“‘].*[”’]")) {
        findings.add(Mistake.HEADER_QUOTED, where, "", value.charAt(0) + "…" + last(value));
      } else if (ENCODED.matcher(value).matches()) {
        findings.add(Mistake.HEADER_ENCODED, where, "", shown);
      } else if (value.chars().anyMatch(c -> c <= ' ' || c >= 127)) {
        findings.add(Mistake.HEADER_CHARACTERS, where, "A-Z a-z 0-9 _ -", odd(value));
      } else if (value.length() > MOST_CHARACTERS) {
        findings.add(Mistake.HEADER_TOO_LONG, where, "≤ " + MOST_CHARACTERS, "" + value.length());
      }
    }
  }

  private static void secretSent(Facts facts, Findings findings) {
    String secret = facts.known().secret();
    for (Header header : facts.request().headers()) {
      boolean named =
          header
              .name()
              .toLowerCase(Locale.ROOT)
              .replaceAll("[-_.]", "")
              .matches("(app)?secret(key)?");
      if (named || (secret != null && secret.length() >= 8 && header.value().contains(secret))) {
        findings.add(Mistake.SECRET_SENT, "headers." + header.name(), "", header.name() + ": …");
      }
    }
  }

  /** An appid and a timestamp are no secrets; a signature and a token are clipped. */
  private static String shown(String name, String value) {
    return name.equals("appid") || name.equals("timestamp") ? value : Facts.masked(value);
  }

  private static char last(String value) {
    return value.charAt(value.length() - 1);
  }

  /** The first character that cannot stand in a header, by its number. */
  private static String odd(String value) {
    int point =
        value
            .codePoints()
            .filter(candidate -> candidate <= ' ' || candidate >= 127)
            .findFirst()
            .orElse(' ');
    return "U+%04X (%s)".formatted(point, Character.getName(point));
  }
}
