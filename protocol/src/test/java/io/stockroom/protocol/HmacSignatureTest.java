package io.stockroom.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HmacSignatureTest {
  private static final String TIME = "1700000000";
  private static final String BODY = "[{\"color\":\"红\"}]";

  /** Made with {@code printf 'POST\n/Stock/Creat\n…' | openssl dgst -sha256 -hmac secret}. */
  private static final String SIGN =
      "7BACA8746041D6FE00618A5425B10360E9EAF0BD833F712E1257FFFF79E4DD49";

  @ParameterizedTest
  @CsvSource({
    "secret, /Stock/Creat, '[{\"color\":\"红\"}]', " + SIGN,
    "secret, /Stock/Creat, '', 68F0565CFE61DD5F8AD76B403DDF5FC1002F831571449EFAB82ED283043E3269",
    "secret, /Stock/Product?page=2, '',"
        + " AD59EDC9905BBD62E0761784E933EBD37541833E0F4D51898276504602759961",
    "秘密, /Stock/List, productid=17,"
        + " 78D74E6EE3C91DF58BF249F5F4F9EE38E1B33D9E5FC344E368CF36CE9D4B3DC5",
  })
  void agreesWithOpenssl(String secret, String path, String body, String sign) {
    assertThat(Signature.hmac(secret, "POST", path, TIME, "srt_token", bytes(body)))
        .isEqualTo(sign);
    assertThat(Signature.hmacMatches(secret, "POST", path, TIME, "srt_token", bytes(body), sign))
        .isTrue();
  }

  /** Made with {@code printf 'POST\n…\n0123456789abcdef' | openssl dgst -sha256 -hmac secret}. */
  @Test
  void signsTheNonceAsTheSixthLine() {
    String text =
        Signature.signedText(
            "POST", "/Stock/Creat", TIME, "srt_token", bytes(BODY), "0123456789abcdef");
    String sign = "8C747AEEB59F48A9A678EBB7596579B4EB3BC523B67947A7B5421E4135F99301";

    assertThat(Signature.hmac("secret", text)).isEqualTo(sign);
    assertThat(Signature.hmacMatches("secret", text, sign)).isTrue();
    assertThat(Signature.hmacMatches("secret", text.replace("cdef", "cdee"), sign)).isFalse();
    assertThat(Signature.signedText("POST", "/Stock/Creat", TIME, "srt_token", bytes(BODY), ""))
        .isEqualTo(text.substring(0, text.lastIndexOf('\n')));
  }

  /** A nonce is never a key, nor a key a nonce. */
  @Test
  void signsTheKeyAsTheSeventhLine() {
    byte[] body = bytes("productid=1");
    String nonce = "0123456789abcdef";
    String text =
        Signature.signedText("POST", "/Stock/List", TIME, "TOKEN", body, nonce, "order-1");

    assertThat(text).endsWith("\n" + nonce + "\norder-1");
    assertThat(Signature.signedText("POST", "/Stock/List", TIME, "TOKEN", body, "", nonce))
        .endsWith("\n\n" + nonce);
    assertThat(Signature.hmac("SECRET", text.replace(TIME, "1700000000")))
        .isEqualTo("C54769AAEB340FE733E5772D645D8F928D68A521536E1C3235B7294F33C3FB98");
  }

  @Test
  void recognizesAWellFormedNonce() {
    assertThat(Signature.isWellFormedNonce("!~".repeat(8))).isTrue();
    assertThat(Signature.isWellFormedNonce("a".repeat(64))).isTrue();
    assertThat(Signature.isWellFormedNonce("a".repeat(15))).isFalse();
    assertThat(Signature.isWellFormedNonce("a".repeat(65))).isFalse();
    assertThat(Signature.isWellFormedNonce("a".repeat(15) + " ")).isFalse();
    assertThat(Signature.isWellFormedNonce("a".repeat(15) + "é")).isFalse();
  }

  @Test
  void acceptsLowerCase() {
    assertThat(matches("secret", "POST", "/Stock/Creat", TIME, "srt_token", BODY, lowerCase()))
        .isTrue();
  }

  @Test
  void rejectsEveryOtherRequest() {
    assertThat(matches("secreT", "POST", "/Stock/Creat", TIME, "srt_token", BODY, SIGN)).isFalse();
    assertThat(matches("secret", "GET", "/Stock/Creat", TIME, "srt_token", BODY, SIGN)).isFalse();
    assertThat(matches("secret", "POST", "/Stock/Creat?", TIME, "srt_token", BODY, SIGN)).isFalse();
    assertThat(matches("secret", "POST", "/Stock/Creat", "1700000001", "srt_token", BODY, SIGN))
        .isFalse();
    assertThat(matches("secret", "POST", "/Stock/Creat", TIME, "srt_tokem", BODY, SIGN)).isFalse();
    assertThat(matches("secret", "POST", "/Stock/Creat", TIME, "srt_token", BODY + " ", SIGN))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "7BACA8746041D6FE00618A5425B10360",
        "7BACA8746041D6FE00618A5425B10360E9EAF0BD833F712E1257FFFF79E4DD4",
        "7BACA8746041D6FE00618A5425B10360E9EAF0BD833F712E1257FFFF79E4DD490",
        "7BACA8746041D6FE00618A5425B10360E9EAF0BD833F712E1257FFFF79E4DD4G",
        "7BACA8746041D6FE00618A5425B10360E9EAF0BD833F712E1257FFFF79E4DD4９",
      })
  void rejectsOtherFormsThan64HexadecimalCharacters(String sign) {
    assertThat(Signature.isWellFormedHmac(sign)).isFalse();
    assertThat(matches("secret", "POST", "/Stock/Creat", TIME, "srt_token", BODY, sign)).isFalse();
  }

  @Test
  void recognizesTheFormInUpperAndLowerCase() {
    assertThat(Signature.isWellFormedHmac(SIGN)).isTrue();
    assertThat(Signature.isWellFormedHmac(lowerCase())).isTrue();
  }

  private static boolean matches(
      String secret,
      String method,
      String path,
      String timestamp,
      String accesstoken,
      String body,
      String sign) {
    return Signature.hmacMatches(secret, method, path, timestamp, accesstoken, bytes(body), sign);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String lowerCase() {
    return SIGN.toLowerCase(Locale.ROOT);
  }
}
