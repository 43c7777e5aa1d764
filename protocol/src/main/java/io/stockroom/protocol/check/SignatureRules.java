package io.stockroom.protocol.check;

import io.stockroom.protocol.Signature;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the signature has its form, and by which recipe it was made. */
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
  private static final String HMAC = "hmac-sha256";

  private SignatureRules() {}

  private static void method(Facts facts, Findings findings) {
    List<String> methods = facts.request().values("sign-method");
    if (!methods.isEmpty() && (methods.size() > 1 || !methods.get(0).equalsIgnoreCase(HMAC))) {
      findings.add(
          Mistake.SIGN_METHOD_UNKNOWN, "headers.sign-method", HMAC, String.join(", ", methods));
    }
  }

  private static void form(Facts facts, Findings findings) {
    String sign = facts.header("sign");
    boolean rightForm =
        facts.isHmac() ? Signature.isWellFormedHmac(sign) : Signature.isWellFormed(sign);
    if (sign.isEmpty() || rightForm || findings.at(WHERE)) {
      return;
    }
    String length = sign.length() + " ×";
    if (findings.has(Mistake.SIGN_METHOD_UNKNOWN, Mistake.HEADERS_SWAPPED)) {
      return;
    }
    if (facts.isHmac() && Signature.isWellFormed(sign)) {
      findings.add(Mistake.SIGN_METHOD_MIXED, WHERE, "HMAC-SHA256: 64 ×", "MD5: 32 ×");
    } else if (!facts.isHmac() && Signature.isWellFormedHmac(sign)) {
      findings.add(Mistake.SIGN_METHOD_MISSING, "headers.sign-method", HMAC, "");
    } else if (!facts.isHmac() && sign.matches("[0-9A-Fa-f]{16}")) {
      findings.add(Mistake.SIGN_SHORT, WHERE, "32 ×", length);
    } else if (sign.matches("[A-Za-z0-9+/_-]{22,}={0,2}") && !sign.matches("[0-9A-Fa-f]+")) {
      findings.add(Mistake.SIGN_BASE64, WHERE, "0-9 A-F", Facts.masked(sign));
    } else {
      findings.add(Mistake.SIGN_FORMAT, WHERE, (facts.isHmac() ? 64 : 32) + " × 0-9 A-F", length);
    }
  }

  private static void lowerCase(Facts facts, Findings findings) {
    String sign = facts.header("sign");
    if (sign.matches(".*[a-f].*") && !findings.at(WHERE)) {
      findings.add(
          Mistake.SIGN_LOWER_CASE,
          WHERE,
          Facts.masked(sign.toUpperCase(Locale.ROOT)),
          Facts.masked(sign));
    }
  }

  private static void nonce(Facts facts, Findings findings) {
    List<String> nonces = facts.request().values("sign-nonce");
    if (nonces.isEmpty()) {
      return;
    }
    String where = "headers.sign-nonce";
    if (nonces.size() > 1) {
      findings.add(
          Mistake.HEADER_REPEATED, where, "1 × sign-nonce", nonces.size() + " × sign-nonce");
    } else if (!Signature.isWellFormedNonce(nonces.get(0))) {
      String expected =
          "%d … %d × ! … ~"
              .formatted(Signature.MIN_NONCE_CHARACTERS, Signature.MAX_NONCE_CHARACTERS);
      findings.add(Mistake.NONCE_FORMAT, where, expected, nonces.get(0));
    }
    if (!facts.isHmac()) {
      findings.add(Mistake.NONCE_UNSIGNED, "headers.sign-method", HMAC, "");
    }
  }

  /** Only a signature of the right form can tell by what recipe it was made. */
  private static void recipe(Facts facts, Findings findings) {
    String secret = facts.known().secret();
    String sign = facts.header("sign");
    String timestamp = facts.header("timestamp");
    boolean hexadecimal = Signature.isWellFormed(sign) || Signature.isWellFormedHmac(sign);
    if (secret == null || secret.isEmpty() || timestamp.isEmpty() || !hexadecimal) {
      return;
    }
    if (isRight(facts, secret)
        || findings.has(Mistake.SIGN_METHOD_UNKNOWN, Mistake.SIGN_METHOD_MIXED)) {
      return;
    }
    if (findings.has(Mistake.TIMESTAMP_MILLISECONDS)
        && Signature.matches(secret, timestamp.substring(0, 10), sign)) {
      return;
    }
    for (Known.OtherSecret other : facts.known().others()) {
      if (isRight(facts, other.secret())) {
        findings.add(Mistake.SIGN_OTHER_SECRET, WHERE, "", other.name());
        return;
      }
    }
    Optional<Recipe> recipe = Recipes.of(facts, secret);
    if (recipe.isPresent()) {
      findings.add(recipe.get().mistake(), WHERE, Recipes.expected(facts), recipe.get().formula());
    } else if (!findings.has(Mistake.SIGN_METHOD_MISSING)) {
      findings.add(Mistake.SIGN_WRONG, WHERE, Recipes.expected(facts), Facts.masked(sign));
    }
  }

  private static boolean isRight(Facts facts, String secret) {
    CapturedRequest request = facts.request();
    String body = request.body();
    if (!facts.isHmac()) {
      boolean whole = Signature.isWellFormedHmac(facts.header("sign"));
      return whole
          ? isHmac(facts, secret, body)
          : Signature.matches(secret, facts.header("timestamp"), facts.header("sign"));
    }
    // what the capture does not show cannot make the signature wrong
    return body == null || isHmac(facts, secret, body);
  }

  private static boolean isHmac(Facts facts, String secret, @Nullable String body) {
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

  private static void required(Facts facts, Findings findings) {
    if (facts.known().requireHmac()
        && !facts.isHmac()
        && !findings.has(Mistake.SIGN_METHOD_MISSING)) {
      findings.add(Mistake.SIGN_METHOD_REQUIRED, "headers.sign-method", HMAC, "");
    }
  }
}
