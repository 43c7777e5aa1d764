package io.stockroom.protocol.check;

import io.stockroom.protocol.Signature;
import io.stockroom.protocol.request.AuthenticationHeaders;
import io.stockroom.protocol.request.IdempotencyKey;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Finds out how a wrong signature was computed by trying every known mistake. */
final class SignatureMistakes {
  private static final List<String> SEPARATORS =
      List.of(" ", "&", "+", ":", "-", "_", ",", ";", "|", ".", "/", "#", "=", "\t");
  private static final int OTHER_SECONDS = 3600;
  private static final Charset UTF_16 = StandardCharsets.UTF_16LE;

  private final Check check;
  private final String secret;
  private final String timestamp;
  private final String sign;

  private SignatureMistakes(Check check, String secret) {
    this.check = check;
    this.secret = secret;
    this.timestamp = check.header("timestamp");
    this.sign = check.header("sign").toUpperCase(Locale.ROOT);
  }

  static Optional<SignatureMistake> of(Check check, String secret) {
    SignatureMistakes recipes = new SignatureMistakes(check, secret);
    boolean md5 = Signature.isWellFormed(recipes.sign);
    return md5 ? recipes.md5() : recipes.longer();
  }

  static String expected(Check check) {
    return check.isHmac()
        ? "HMAC-SHA256(secret, method ⏎ path ⏎ timestamp ⏎ accesstoken ⏎ SHA-256(body)%s)"
            .formatted(
                !check.header(IdempotencyKey.HEADER).isEmpty()
                    ? " ⏎ sign-nonce ⏎ Idempotency-Key"
                    : check.header("sign-nonce").isEmpty() ? "" : " ⏎ sign-nonce")
        : "MD5(secret + timestamp)";
  }

  private Optional<SignatureMistake> md5() {
    if (isMd5(timestamp + secret)) {
      return found(Cause.SIGN_ORDER, "MD5(timestamp + secret)");
    }
    for (String end : List.of("\n", "\r\n")) {
      if (isMd5(secret + timestamp + end)) {
        return found(Cause.SIGN_NEWLINE, "MD5(secret + timestamp + \"\\n\")");
      }
      if (isMd5(secret + end + timestamp)) {
        return found(Cause.SIGN_NEWLINE, "MD5(secret + \"\\n\" + timestamp)");
      }
    }
    for (String separator : SEPARATORS) {
      if (isMd5(secret + separator + timestamp)) {
        return found(Cause.SIGN_SEPARATOR, "MD5(secret + \"%s\" + timestamp)".formatted(separator));
      }
      if (isMd5(timestamp + separator + secret)) {
        return found(Cause.SIGN_SEPARATOR, "MD5(timestamp + \"%s\" + secret)".formatted(separator));
      }
    }
    return otherTime().or(this::otherText);
  }

  /** Signed with another time than the one sent: in milliseconds, or slightly earlier or later. */
  private Optional<SignatureMistake> otherTime() {
    if (!AuthenticationHeaders.isTimestamp(timestamp)) {
      return Optional.empty();
    }
    for (int millis = 0; millis < 1000; millis++) {
      if (isMd5(secret + timestamp + "%03d".formatted(millis))) {
        return found(Cause.SIGN_MILLISECONDS, "MD5(secret + %s%03d)".formatted(timestamp, millis));
      }
    }
    long sent = Long.parseLong(timestamp);
    for (int off = 1; off <= OTHER_SECONDS; off++) {
      for (long other : new long[] {sent - off, sent + off}) {
        if (isMd5(secret + other)) {
          return found(
              Cause.SIGN_OTHER_TIME, "MD5(secret + %d) (%+d s)".formatted(other, other - sent));
        }
      }
    }
    return Optional.empty();
  }

  private Optional<SignatureMistake> otherText() {
    String appid = check.header("appid");
    String token = check.header("accesstoken");
    Map<String, Supplier<String>> recipes = new LinkedHashMap<>();
    recipes.put("MD5(secret)", () -> hash("MD5", secret));
    recipes.put("MD5(timestamp)", () -> hash("MD5", timestamp));
    recipes.put("MD5(secret + timestamp + secret)", () -> hash("MD5", secret + timestamp + secret));
    recipes.put("MD5(appid + secret + timestamp)", () -> hash("MD5", appid + secret + timestamp));
    recipes.put("MD5(appid + timestamp + secret)", () -> hash("MD5", appid + timestamp + secret));
    recipes.put("MD5(secret + appid + timestamp)", () -> hash("MD5", secret + appid + timestamp));
    recipes.put("MD5(secret + timestamp + appid)", () -> hash("MD5", secret + timestamp + appid));
    recipes.put(
        "MD5(secret + timestamp + accesstoken)", () -> hash("MD5", secret + timestamp + token));
    recipes.put(
        "MD5(secret + accesstoken + timestamp)", () -> hash("MD5", secret + token + timestamp));
    recipes.put("MD5(accesstoken + timestamp)", () -> hash("MD5", token + timestamp));
    recipes.put("MD5(appid + timestamp)", () -> hash("MD5", appid + timestamp));
    recipes.put("MD5(\"secret\" + timestamp)", () -> hash("MD5", '"' + secret + '"' + timestamp));
    recipes.put(
        "MD5(lower(secret) + timestamp)",
        () -> hash("MD5", secret.toLowerCase(Locale.ROOT) + timestamp));
    recipes.put(
        "MD5(upper(secret) + timestamp)",
        () -> hash("MD5", secret.toUpperCase(Locale.ROOT) + timestamp));
    recipes.put("MD5(\" \" + secret + timestamp)", () -> hash("MD5", " " + secret + timestamp));
    recipes.put(
        "MD5(MD5(secret) + timestamp)", () -> hash("MD5", lower(hash("MD5", secret)) + timestamp));
    recipes.put(
        "MD5(MD5(secret + timestamp))", () -> hash("MD5", lower(hash("MD5", secret + timestamp))));
    recipes.put(
        "MD5(upper(MD5(secret + timestamp)))", () -> hash("MD5", hash("MD5", secret + timestamp)));
    recipes.put(
        "MD5(UTF-16(secret + timestamp))", () -> hex("MD5", (secret + timestamp).getBytes(UTF_16)));
    recipes.put("HMAC-MD5(key = secret, timestamp)", () -> mac("HmacMD5", secret, timestamp));
    recipes.put(
        "HMAC-MD5(key = secret, secret + timestamp)",
        () -> mac("HmacMD5", secret, secret + timestamp));
    recipes.put("HMAC-MD5(key = timestamp, secret)", () -> mac("HmacMD5", timestamp, secret));
    return first(recipes);
  }

  /** 64 characters: a hash other than MD5, or an HMAC over the wrong text. */
  private Optional<SignatureMistake> longer() {
    CapturedRequest request = check.request();
    String token = check.header("accesstoken");
    String body = check.body();
    String hash = lower(hash("SHA-256", body));
    String path = request.path();
    String target = request.target();
    String method = request.method();
    Map<String, Supplier<String>> recipes = new LinkedHashMap<>();
    String nonce = check.header("sign-nonce");
    if (!nonce.isEmpty() && !check.header(IdempotencyKey.HEADER).isEmpty()) {
      recipes.put(
          "… without Idempotency-Key",
          () -> lines("\n", method, target, timestamp, token, hash, nonce));
    }
    recipes.put(
        nonce.isEmpty() ? "… without Idempotency-Key" : "… without sign-nonce",
        () -> lines("\n", method, target, timestamp, token, hash));
    recipes.put("SHA-256(secret + timestamp)", () -> hash("SHA-256", secret + timestamp));
    recipes.put("SHA-256(timestamp + secret)", () -> hash("SHA-256", timestamp + secret));
    recipes.put("HMAC-SHA256(secret, timestamp)", () -> mac("HmacSHA256", secret, timestamp));
    recipes.put(
        "HMAC-SHA256(secret, secret + timestamp)",
        () -> mac("HmacSHA256", secret, secret + timestamp));
    recipes.put("HMAC-SHA256(secret, body)", () -> mac("HmacSHA256", secret, body));
    recipes.put(
        "… SHA-256(body) in upper case",
        () -> lines("\n", method, target, timestamp, token, hash.toUpperCase(Locale.ROOT)));
    recipes.put(
        "… body instead of SHA-256(body)",
        () -> lines("\n", method, target, timestamp, token, body));
    recipes.put(
        "… SHA-256 of an empty body",
        () -> lines("\n", method, target, timestamp, token, lower(hash("SHA-256", ""))));
    recipes.put(
        "… with \\n at the end", () -> lines("\n", method, target, timestamp, token, hash + "\n"));
    recipes.put(
        "… with \\r\\n between the lines",
        () -> lines("\r\n", method, target, timestamp, token, hash));
    recipes.put("… without newlines", () -> lines("", method, target, timestamp, token, hash));
    recipes.put(
        "… path without its query string", () -> lines("\n", method, path, timestamp, token, hash));
    recipes.put(
        "… path in lower case", () -> lines("\n", method, lower(target), timestamp, token, hash));
    recipes.put(
        "… whole address instead of the path",
        () ->
            lines("\n", method, "http://" + check.header("Host") + target, timestamp, token, hash));
    recipes.put(
        "… whole address instead of the path (https)",
        () ->
            lines(
                "\n", method, "https://" + check.header("Host") + target, timestamp, token, hash));
    recipes.put(
        "… method in lower case", () -> lines("\n", lower(method), target, timestamp, token, hash));
    recipes.put("… without accesstoken", () -> lines("\n", method, target, timestamp, hash));
    recipes.put("… without the method", () -> lines("\n", target, timestamp, token, hash));
    recipes.put(
        "… body with \\n at the end",
        () -> lines("\n", method, target, timestamp, token, lower(hash("SHA-256", body + "\n"))));
    return first(recipes);
  }

  private String lines(String separator, String... lines) {
    return mac("HmacSHA256", secret, String.join(separator, lines));
  }

  private Optional<SignatureMistake> first(Map<String, Supplier<String>> recipes) {
    return recipes.entrySet().stream()
        .filter(recipe -> recipe.getValue().get().equals(sign))
        .map(recipe -> new SignatureMistake(Cause.SIGN_RECIPE, recipe.getKey()))
        .findFirst();
  }

  private static Optional<SignatureMistake> found(Cause cause, String formula) {
    return Optional.of(new SignatureMistake(cause, formula));
  }

  private boolean isMd5(String text) {
    return hash("MD5", text).equals(sign);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private static String hash(String algorithm, String text) {
    return hex(algorithm, text.getBytes(StandardCharsets.UTF_8));
  }

  private static String hex(String algorithm, byte[] bytes) {
    try {
      return HexFormat.of()
          .withUpperCase()
          .formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + algorithm, e);
    }
  }

  private static String mac(String algorithm, String key, String text) {
    if (key.isEmpty()) {
      return "";
    }
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), algorithm));
      return HexFormat.of()
          .withUpperCase()
          .formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + algorithm, e);
    }
  }
}
