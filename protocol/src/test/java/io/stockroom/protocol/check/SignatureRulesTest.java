package io.stockroom.protocol.check;

import static io.stockroom.protocol.check.Sent.SECRET;
import static io.stockroom.protocol.check.Sent.TIME;
import static io.stockroom.protocol.check.Sent.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Signature;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureRulesTest {
  private static final String RIGHT = Signature.sign(SECRET, TIME);

  @Test
  void remarksOnLowerCase() {
    Report report = Sent.right().with("sign", RIGHT.toLowerCase(Locale.ROOT)).checked();

    assertThat(report.problems()).isEmpty();
    assertThat(report.remarks())
        .extracting(CheckProblem::cause)
        .containsExactly(Cause.SIGN_LOWER_CASE);
  }

  @Test
  void explainsTheFormOfASignature() {
    assertThat(sign(RIGHT.substring(8, 24))).containsExactly(Cause.SIGN_SHORT);
    assertThat(sign(RIGHT + RIGHT)).contains(Cause.SIGN_METHOD_MISSING);
    assertThat(sign("jj0d+1mgGfeJZdC0iSVzWw==")).containsExactly(Cause.SIGN_BASE64);
    assertThat(sign(RIGHT.substring(1))).containsExactly(Cause.SIGN_FORMAT);
    assertThat(sign(RIGHT + "0")).containsExactly(Cause.SIGN_FORMAT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "{time}{secret}|SIGN_ORDER|MD5(timestamp + secret)",
        "{secret}{time}{newline}|SIGN_NEWLINE|MD5(secret + timestamp + \"\\n\")",
        "{secret}{newline}{time}|SIGN_NEWLINE|MD5(secret + \"\\n\" + timestamp)",
        "{secret} {time}|SIGN_SEPARATOR|MD5(secret + \" \" + timestamp)",
        "{secret}&{time}|SIGN_SEPARATOR|MD5(secret + \"&\" + timestamp)",
        "{time}:{secret}|SIGN_SEPARATOR|MD5(timestamp + \":\" + secret)",
        "{secret}1700000000123|SIGN_MILLISECONDS|MD5(secret + 1700000000123)",
        "{secret}1700000003|SIGN_OTHER_TIME|MD5(secret + 1700000003) (+3 s)",
        "{secret}1699996400|SIGN_OTHER_TIME|MD5(secret + 1699996400) (-3600 s)",
        "{secret}1699996399|SIGN_WRONG|",
        "{secret}|SIGN_RECIPE|MD5(secret)",
        "app_11ihrxlnwsqjh{secret}{time}|SIGN_RECIPE|MD5(appid + secret + timestamp)",
        "another secret{time}|SIGN_WRONG|",
      })
  void namesTheSignatureMistake(String recipe, Cause cause, String formula) {
    String text =
        recipe.replace("{secret}", SECRET).replace("{time}", TIME).replace("{newline}", "\n");

    CheckProblem problem =
        Sent.right().with("sign", md5(text, StandardCharsets.UTF_8)).checked().all().get(0);

    assertThat(problem.cause()).isEqualTo(cause);
    if (cause != Cause.SIGN_WRONG) {
      assertThat(problem.found()).isEqualTo(formula);
    }
    assertThat(problem.expected()).isEqualTo("MD5(secret + timestamp)");
  }

  @Test
  void recognizesAnotherEncodingAndAnotherHash() {
    assertThat(sign(md5(SECRET + TIME, StandardCharsets.UTF_16LE)))
        .containsExactly(Cause.SIGN_RECIPE);
    assertThat(sign(md5(md5(SECRET + TIME, StandardCharsets.UTF_8), StandardCharsets.UTF_8)))
        .containsExactly(Cause.SIGN_RECIPE);
  }

  @Test
  void namesTheApplicationWhoseSecretWasUsed() {
    List<Known.OtherSecret> others =
        List.of(new Known.OtherSecret("Old tool", "x"), new Known.OtherSecret("Warehouse", "y"));

    Report report =
        Sent.right()
            .with("sign", Signature.sign("y", TIME))
            .knowing(all -> all.withOthers(others))
            .checked();

    assertThat(report.all())
        .containsExactly(
            new CheckProblem(Cause.SIGN_OTHER_SECRET, "headers.sign", "", "Warehouse"));
  }

  @Test
  void distinguishesMd5FromHmac() {
    assertThat(Sent.right().hmac().causes()).isEmpty();
    assertThat(Sent.right().hmac().without("sign-method").causes())
        .containsExactly(Cause.SIGN_METHOD_MISSING);
    assertThat(Sent.right().with("sign-method", "hmac-sha256").causes())
        .containsExactly(Cause.SIGN_METHOD_MIXED);
    assertThat(Sent.right().with("sign-method", "md5").causes())
        .containsExactly(Cause.SIGN_METHOD_UNKNOWN);
    assertThat(Sent.right().knowing(all -> all.withRequireHmac(true)).causes())
        .containsExactly(Cause.SIGN_METHOD_REQUIRED);
    assertThat(Sent.right().hmac().knowing(all -> all.withRequireHmac(true)).causes()).isEmpty();
  }

  @Test
  void namesWhatWasSignedInsteadOfTheRequest() {
    byte[] body = "productid=1".getBytes(StandardCharsets.UTF_8);
    assertThat(hmac(Signature.hmac(SECRET, "POST", "/stock/list", TIME, TOKEN, body)))
        .isEqualTo("… path in lower case");
    assertThat(hmac(Signature.hmac(SECRET, "post", "/Stock/List", TIME, TOKEN, body)))
        .isEqualTo("… method in lower case");
    assertThat(hmac(Signature.hmac(SECRET, "POST", "/Stock/List", TIME, TOKEN, new byte[0])))
        .isEqualTo("… SHA-256 of an empty body");
    assertThat(Sent.right().hmac().body("productid=2").causes()).containsExactly(Cause.SIGN_WRONG);
  }

  @Test
  void verifiesASignedNonce() {
    String nonce = "0123456789abcdef";
    assertThat(Sent.right().with("sign-nonce", nonce).hmac().causes()).isEmpty();
    assertThat(Sent.right().hmac().with("sign-nonce", nonce).checked().all().get(0).found())
        .isEqualTo("… without sign-nonce");
    assertThat(Sent.right().with("sign-nonce", nonce.substring(1)).hmac().causes())
        .containsExactly(Cause.NONCE_FORMAT);
    assertThat(Sent.right().with("sign-nonce", nonce).causes())
        .containsExactly(Cause.NONCE_UNSIGNED);
  }

  @Test
  void verifiesASignedIdempotencyKey() {
    String key = "Idempotency-Key";
    assertThat(Sent.right().with(key, "k").hmac().causes()).isEmpty();
    assertThat(Sent.right().hmac().with(key, "k").checked().all().get(0).found())
        .isEqualTo("… without Idempotency-Key");
  }

  @Test
  void doesNotCheckAnHmacOverAnUnknownBody() {
    Report report = Sent.right().hmac().body(null).checked();

    assertThat(report.all()).isEmpty();
    assertThat(report.unchecked()).containsExactly(Unchecked.BODY);
  }

  @Test
  void reportsTheSignatureAsUncheckedWithoutASecret() {
    Report report =
        Sent.right().with("sign", "0".repeat(32)).knowing(all -> Known.nothing()).checked();

    assertThat(report.all()).isEmpty();
    assertThat(report.unchecked())
        .containsExactly(Unchecked.SIGNATURE, Unchecked.TIME, Unchecked.TOKEN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"8E3D1DFB59A019F78965D0B48925735B", "not a signature at all"})
  void masksSignaturesAndTokens(String sign) {
    String shown =
        Sent.right().with("sign", sign).with("accesstoken", TOKEN + "x").checked().toString();

    assertThat(shown).doesNotContain(sign, TOKEN, SECRET);
  }

  private static List<Cause> sign(String sign) {
    return Sent.right().with("sign", sign).causes();
  }

  private static String hmac(String sign) {
    List<CheckProblem> found =
        Sent.right().with("sign-method", "hmac-sha256").with("sign", sign).checked().all();
    assertThat(found).extracting(CheckProblem::cause).containsExactly(Cause.SIGN_RECIPE);
    return found.get(0).found();
  }

  private static String md5(String text, Charset charset) {
    try {
      return HexFormat.of()
          .withUpperCase()
          .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(charset)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
