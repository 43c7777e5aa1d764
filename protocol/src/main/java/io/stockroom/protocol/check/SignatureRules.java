package io.stockroom.protocol.check;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Signature;
import io.stockroom.protocol.request.AuthenticationHeaders;
import io.stockroom.protocol.request.IdempotencyKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks the form of the signature and finds out how it was computed. */
final class SignatureRules {
  static final List<Rule> ALL =
      List.of(
          SignatureRules::method,
          SignatureRules::form,
          SignatureRules::lowerCase,
          SignatureRules::nonce,
          SignatureRules::recipe,
          SignatureRules::required);

  private static final String WHERE = "headers.sign";
  private static final String HMAC = AuthenticationHeaders.HMAC;

  private SignatureRules() {}

  private static void method(Check check) {
    if (check.isRejected(ErrorCode.SIGN_METHOD, "sign-method")) {
      String sent = String.join(", ", check.request().values("sign-method"));
      check.report(Cause.SIGN_METHOD_UNKNOWN, "headers.sign-method", HMAC, sent);
    }
  }

  private static void form(Check check) {
    String sign = check.header("sign");
    if (!check.isRejected(ErrorCode.SIGN_FORMAT, "sign") || check.hasProblemAt(WHERE)) {
      return;
    }
    String length = sign.length() + " ×";
    if (check.hasReported(Cause.SIGN_METHOD_UNKNOWN, Cause.HEADERS_SWAPPED)) {
      return;
    }
    if (check.isHmac() && Signature.isWellFormed(sign)) {
      check.report(Cause.SIGN_METHOD_MIXED, WHERE, "HMAC-SHA256: 64 ×", "MD5: 32 ×");
    } else if (!check.isHmac() && Signature.isWellFormedHmac(sign)) {
      check.report(Cause.SIGN_METHOD_MISSING, "headers.sign-method", HMAC, "");
    } else if (!check.isHmac() && sign.matches("[0-9A-Fa-f]{16}")) {
      check.report(Cause.SIGN_SHORT, WHERE, "32 ×", length);
    } else if (sign.matches("[A-Za-z0-9+/_-]{22,}={0,2}") && !sign.matches("[0-9A-Fa-f]+")) {
      check.report(Cause.SIGN_BASE64, WHERE, "0-9 A-F", Check.masked(sign));
    } else {
      check.report(Cause.SIGN_FORMAT, WHERE, (check.isHmac() ? 64 : 32) + " × 0-9 A-F", length);
    }
  }

  private static void lowerCase(Check check) {
    String sign = check.header("sign");
    if (sign.matches(".*[a-f].*") && !check.hasProblemAt(WHERE)) {
      check.report(
          Cause.SIGN_LOWER_CASE,
          WHERE,
          Check.masked(sign.toUpperCase(Locale.ROOT)),
          Check.masked(sign));
    }
  }

  private static void nonce(Check check) {
    String name = "sign-nonce";
    String where = "headers." + name;
    int count = check.request().values(name).size();
    if (check.isRejected(ErrorCode.HEADER_REPEATED, name)) {
      check.report(Cause.HEADER_REPEATED, where, "1 × " + name, count + " × " + name);
    } else if (check.isRejected(ErrorCode.NONCE_FORMAT, name)
        || check.isRejected(ErrorCode.HEADER_FORMAT, name)
        || check.isRejected(ErrorCode.HEADER_MISSING, name)) {
      String expected =
          "%d … %d × ! … ~"
              .formatted(Signature.MIN_NONCE_CHARACTERS, Signature.MAX_NONCE_CHARACTERS);
      check.report(Cause.NONCE_FORMAT, where, expected, check.header(name));
    }
    if (check.isRejected(ErrorCode.NONCE_UNSIGNED, name)) {
      check.report(Cause.NONCE_UNSIGNED, "headers.sign-method", HMAC, "");
    }
  }

  /** Needs a signature of the right form. */
  private static void recipe(Check check) {
    String secret = check.known().secret();
    String sign = check.header("sign");
    String timestamp = check.header("timestamp");
    boolean hexadecimal = Signature.isWellFormed(sign) || Signature.isWellFormedHmac(sign);
    if (secret == null || secret.isEmpty() || timestamp.isEmpty() || !hexadecimal) {
      return;
    }
    if (isRight(check, secret)
        || check.hasReported(Cause.SIGN_METHOD_UNKNOWN, Cause.SIGN_METHOD_MIXED)) {
      return;
    }
    if (check.hasReported(Cause.TIMESTAMP_MILLISECONDS)
        && Signature.matches(secret, timestamp.substring(0, 10), sign)) {
      return;
    }
    for (Known.OtherSecret other : check.known().others()) {
      if (isRight(check, other.secret())) {
        check.report(Cause.SIGN_OTHER_SECRET, WHERE, "", other.name());
        return;
      }
    }
    Optional<SignatureMistake> recipe = SignatureMistakes.of(check, secret);
    if (recipe.isPresent()) {
      check.report(
          recipe.get().cause(), WHERE, SignatureMistakes.expected(check), recipe.get().formula());
    } else if (!check.hasReported(Cause.SIGN_METHOD_MISSING)) {
      check.report(Cause.SIGN_WRONG, WHERE, SignatureMistakes.expected(check), Check.masked(sign));
    }
  }

  private static boolean isRight(Check check, String secret) {
    CapturedRequest request = check.request();
    String body = request.body();
    if (!check.isHmac()) {
      boolean whole = Signature.isWellFormedHmac(check.header("sign"));
      return whole
          ? isHmac(check, secret, body)
          : Signature.matches(secret, check.header("timestamp"), check.header("sign"));
    }
    // a body that the capture does not show cannot make the signature wrong
    return body == null || isHmac(check, secret, body);
  }

  private static boolean isHmac(Check check, String secret, @Nullable String body) {
    byte[] bytes = (body == null ? "" : body).getBytes(StandardCharsets.UTF_8);
    String text =
        Signature.signedText(
            check.request().method(),
            check.request().target(),
            check.header("timestamp"),
            check.header("accesstoken"),
            bytes,
            check.header("sign-nonce"),
            check.header(IdempotencyKey.HEADER));
    return Signature.hmacMatches(secret, text, check.header("sign"));
  }

  private static void required(Check check) {
    if (check.known().requireHmac()
        && !check.isHmac()
        && !check.hasReported(Cause.SIGN_METHOD_MISSING)) {
      check.report(Cause.SIGN_METHOD_REQUIRED, "headers.sign-method", HMAC, "");
    }
    if (check.isHmac()
        && check.header("sign-nonce").isEmpty()
        && Endpoint.at(check.request().path()).filter(Endpoint::needsNonce).isPresent()) {
      check.report(Cause.NONCE_REQUIRED, "headers.sign-nonce", "UUID", "");
    }
  }
}
