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
import java.util.function.UnaryOperator;
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
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("secret", secret);
    texts.put("timestamp", timestamp);
    texts.put("secret + timestamp + secret", secret + timestamp + secret);
    texts.put("appid + secret + timestamp", appid + secret + timestamp);
    texts.put("appid + timestamp + secret", appid + timestamp + secret);
    texts.put("secret + appid + timestamp", secret + appid + timestamp);
    texts.put("secret + timestamp + appid", secret + timestamp + appid);
    texts.put("secret + timestamp + accesstoken", secret + timestamp + token);
    texts.put("secret + accesstoken + timestamp", secret + token + timestamp);
    texts.put("accesstoken + timestamp", token + timestamp);
    texts.put("appid + timestamp", appid + timestamp);
    texts.put("\"secret\" + timestamp", '"' + secret + '"' + timestamp);
    texts.put("lower(secret) + timestamp", lower(secret) + timestamp);
    texts.put("upper(secret) + timestamp", secret.toUpperCase(Locale.ROOT) + timestamp);
    texts.put("\" \" + secret + timestamp", " " + secret + timestamp);
    texts.put("MD5(secret) + timestamp", lower(hash("MD5", secret)) + timestamp);
    texts.put("MD5(secret + timestamp)", lower(hash("MD5", secret + timestamp)));
    texts.put("upper(MD5(secret + timestamp))", hash("MD5", secret + timestamp));
    Map<String, String> signs = new LinkedHashMap<>();
    texts.forEach((formula, text) -> signs.put("MD5(" + formula + ")", hash("MD5", text)));
    signs.put("MD5(UTF-16(secret + timestamp))", hex("MD5", (secret + timestamp).getBytes(UTF_16)));
    signs.put("HMAC-MD5(key = secret, timestamp)", mac("HmacMD5", secret, timestamp));
    signs.put(
        "HMAC-MD5(key = secret, secret + timestamp)", mac("HmacMD5", secret, secret + timestamp));
    signs.put("HMAC-MD5(key = timestamp, secret)", mac("HmacMD5", timestamp, secret));
    return first(signs);
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
    String address = check.header("Host") + target;
    String nonce = check.header("sign-nonce");
    Map<String, String> signs = otherTexts(body);
    signs.putAll(otherBodies(body, last -> lines(method, target, timestamp, token, last)));
    if (!nonce.isEmpty() && !check.header(IdempotencyKey.HEADER).isEmpty()) {
      signs.put("… without Idempotency-Key", lines(method, target, timestamp, token, hash, nonce));
    }
    signs.put(
        nonce.isEmpty() ? "… without Idempotency-Key" : "… without sign-nonce",
        lines(method, target, timestamp, token, hash));
    signs.put("… with \\n at the end", lines(method, target, timestamp, token, hash + "\n"));
    signs.put(
        "… with \\r\\n between the lines",
        lines(method + "\r", target + "\r", timestamp + "\r", token + "\r", hash));
    signs.put("… without newlines", sha256(method + target + timestamp + token + hash));
    signs.put("… path without its query string", lines(method, path, timestamp, token, hash));
    signs.put("… path in lower case", lines(method, lower(target), timestamp, token, hash));
    signs.put(
        "… whole address instead of the path",
        lines(method, "http://" + address, timestamp, token, hash));
    signs.put(
        "… whole address instead of the path (https)",
        lines(method, "https://" + address, timestamp, token, hash));
    signs.put("… method in lower case", lines(lower(method), target, timestamp, token, hash));
    signs.put("… without accesstoken", lines(method, target, timestamp, hash));
    signs.put("… without the method", lines(target, timestamp, token, hash));
    return first(signs);
  }

  /** Signatures that ignore the request, or most of it. */
  private Map<String, String> otherTexts(String body) {
    Map<String, String> signs = new LinkedHashMap<>();
    signs.put("SHA-256(secret + timestamp)", hash("SHA-256", secret + timestamp));
    signs.put("SHA-256(timestamp + secret)", hash("SHA-256", timestamp + secret));
    signs.put("HMAC-SHA256(secret, timestamp)", sha256(timestamp));
    signs.put("HMAC-SHA256(secret, secret + timestamp)", sha256(secret + timestamp));
    signs.put("HMAC-SHA256(secret, body)", sha256(body));
    return signs;
  }

  /** Signatures whose last line is not the SHA-256 of the body, in lower case. */
  private static Map<String, String> otherBodies(String body, UnaryOperator<String> withBody) {
    Map<String, String> signs = new LinkedHashMap<>();
    signs.put("… SHA-256(body) in upper case", withBody.apply(hash("SHA-256", body)));
    signs.put("… body instead of SHA-256(body)", withBody.apply(body));
    signs.put("… SHA-256 of an empty body", withBody.apply(lower(hash("SHA-256", ""))));
    signs.put("… body with \\n at the end", withBody.apply(lower(hash("SHA-256", body + "\n"))));
    return signs;
  }

  private String lines(String... lines) {
    return sha256(String.join("\n", lines));
  }

  private String sha256(String text) {
    return mac("HmacSHA256", secret, text);
  }

  private Optional<SignatureMistake> first(Map<String, String> signs) {
    return signs.entrySet().stream()
        .filter(each -> each.getValue().equals(sign))
        .map(each -> new SignatureMistake(Cause.SIGN_RECIPE, each.getKey()))
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
