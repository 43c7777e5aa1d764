package io.stockroom.protocol.check;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Signature;
import io.stockroom.protocol.request.AuthenticationHeaders;
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

  private static void method(CheckInput facts, CheckProblems problems) {
    if (facts.isRejected(ErrorCode.SIGN_METHOD, "sign-method")) {
      String sent = String.join(", ", facts.request().values("sign-method"));
      problems.add(Cause.SIGN_METHOD_UNKNOWN, "headers.sign-method", HMAC, sent);
    }
  }

  private static void form(CheckInput facts, CheckProblems problems) {
    String sign = facts.header("sign");
    if (!facts.isRejected(ErrorCode.SIGN_FORMAT, "sign") || problems.at(WHERE)) {
      return;
    }
    String length = sign.length() + " ×";
    if (problems.has(Cause.SIGN_METHOD_UNKNOWN, Cause.HEADERS_SWAPPED)) {
      return;
    }
    if (facts.isHmac() && Signature.isWellFormed(sign)) {
      problems.add(Cause.SIGN_METHOD_MIXED, WHERE, "HMAC-SHA256: 64 ×", "MD5: 32 ×");
    } else if (!facts.isHmac() && Signature.isWellFormedHmac(sign)) {
      problems.add(Cause.SIGN_METHOD_MISSING, "headers.sign-method", HMAC, "");
    } else if (!facts.isHmac() && sign.matches("[0-9A-Fa-f]{16}")) {
      problems.add(Cause.SIGN_SHORT, WHERE, "32 ×", length);
    } else if (sign.matches("[A-Za-z0-9+/_-]{22,}={0,2}") && !sign.matches("[0-9A-Fa-f]+")) {
      problems.add(Cause.SIGN_BASE64, WHERE, "0-9 A-F", CheckInput.masked(sign));
    } else {
      problems.add(Cause.SIGN_FORMAT, WHERE, (facts.isHmac() ? 64 : 32) + " × 0-9 A-F", length);
    }
  }

  private static void lowerCase(CheckInput facts, CheckProblems problems) {
    String sign = facts.header("sign");
    if (sign.matches(".*[a-f].*") && !problems.at(WHERE)) {
      problems.add(
          Cause.SIGN_LOWER_CASE,
          WHERE,
          CheckInput.masked(sign.toUpperCase(Locale.ROOT)),
          CheckInput.masked(sign));
    }
  }

  private static void nonce(CheckInput facts, CheckProblems problems) {
    String name = "sign-nonce";
    String where = "headers." + name;
    int count = facts.request().values(name).size();
    if (facts.isRejected(ErrorCode.HEADER_REPEATED, name)) {
      problems.add(Cause.HEADER_REPEATED, where, "1 × " + name, count + " × " + name);
    } else if (facts.isRejected(ErrorCode.NONCE_FORMAT, name)
        || facts.isRejected(ErrorCode.HEADER_FORMAT, name)
        || facts.isRejected(ErrorCode.HEADER_MISSING, name)) {
      String expected =
          "%d … %d × ! … ~"
              .formatted(Signature.MIN_NONCE_CHARACTERS, Signature.MAX_NONCE_CHARACTERS);
      problems.add(Cause.NONCE_FORMAT, where, expected, facts.header(name));
    }
    if (facts.isRejected(ErrorCode.NONCE_UNSIGNED, name)) {
      problems.add(Cause.NONCE_UNSIGNED, "headers.sign-method", HMAC, "");
    }
  }

  /** Needs a signature of the right form. */
  private static void recipe(CheckInput facts, CheckProblems problems) {
    String secret = facts.known().secret();
    String sign = facts.header("sign");
    String timestamp = facts.header("timestamp");
    boolean hexadecimal = Signature.isWellFormed(sign) || Signature.isWellFormedHmac(sign);
    if (secret == null || secret.isEmpty() || timestamp.isEmpty() || !hexadecimal) {
      return;
    }
    if (isRight(facts, secret)
        || problems.has(Cause.SIGN_METHOD_UNKNOWN, Cause.SIGN_METHOD_MIXED)) {
      return;
    }
    if (problems.has(Cause.TIMESTAMP_MILLISECONDS)
        && Signature.matches(secret, timestamp.substring(0, 10), sign)) {
      return;
    }
    for (Known.OtherSecret other : facts.known().others()) {
      if (isRight(facts, other.secret())) {
        problems.add(Cause.SIGN_OTHER_SECRET, WHERE, "", other.name());
        return;
      }
    }
    Optional<SignatureMistake> recipe = SignatureMistakes.of(facts, secret);
    if (recipe.isPresent()) {
      problems.add(
          recipe.get().cause(), WHERE, SignatureMistakes.expected(facts), recipe.get().formula());
    } else if (!problems.has(Cause.SIGN_METHOD_MISSING)) {
      problems.add(
          Cause.SIGN_WRONG, WHERE, SignatureMistakes.expected(facts), CheckInput.masked(sign));
    }
  }

  private static boolean isRight(CheckInput facts, String secret) {
    CapturedRequest request = facts.request();
    String body = request.body();
    if (!facts.isHmac()) {
      boolean whole = Signature.isWellFormedHmac(facts.header("sign"));
      return whole
          ? isHmac(facts, secret, body)
          : Signature.matches(secret, facts.header("timestamp"), facts.header("sign"));
    }
    // a body that the capture does not show cannot make the signature wrong
    return body == null || isHmac(facts, secret, body);
  }

  private static boolean isHmac(CheckInput facts, String secret, @Nullable String body) {
    byte[] bytes = (body == null ? "" : body).getBytes(StandardCharsets.UTF_8);
    String text =
        Signature.signedText(
            facts.request().method(),
            facts.request().target(),
            facts.header("timestamp"),
            facts.header("accesstoken"),
            bytes,
            facts.header("sign-nonce"));
    return Signature.hmacMatches(secret, text, facts.header("sign"));
  }

  private static void required(CheckInput facts, CheckProblems problems) {
    if (facts.known().requireHmac()
        && !facts.isHmac()
        && !problems.has(Cause.SIGN_METHOD_MISSING)) {
      problems.add(Cause.SIGN_METHOD_REQUIRED, "headers.sign-method", HMAC, "");
    }
  }
}
