package io.stockroom.protocol.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderRulesTest {
  @ParameterizedTest
  @ValueSource(strings = {"appid", "sign", "timestamp", "accesstoken"})
  void findsAMissingAndAnEmptyHeader(String name) {
    assertThat(Sent.right().without(name).causes()).containsExactly(Cause.HEADER_MISSING);
    assertThat(Sent.right().with(name, " ").causes()).containsExactly(Cause.HEADER_MISSING);
  }

  @ParameterizedTest
  @CsvSource({
    "accesstoken, access_token",
    "accesstoken, Access-Token",
    "accesstoken, Authorization",
    "accesstoken, token",
    "appid, app_id",
    "appid, appkey",
    "sign, signature",
    "sign, sing",
    "timestamp, timestmap",
    "timestamp, ts",
  })
  void findsAHeaderUnderAnotherName(String name, String written) {
    String value = Sent.right().captured().value(name);

    Report report = Sent.right().without(name).and(written, value).checked();

    assertThat(report.all())
        .containsExactly(new CheckProblem(Cause.HEADER_MISSPELT, "headers." + name, name, written));
  }

  @Test
  void acceptsHeaderNamesInAnyCase() {
    assertThat(
            Sent.right()
                .with("AppId", Sent.APPID)
                .with("SIGN", Sent.right().captured().value("sign"))
                .causes())
        .isEmpty();
  }

  @Test
  void findsAHeaderInTheQueryStringAndInTheBody() {
    assertThat(Sent.right().without("appid").to("/Stock/List?appid=app_1").causes())
        .containsExactly(Cause.HEADER_ELSEWHERE);
    assertThat(Sent.right().without("appid").body("productid=1&appid=app_1").causes())
        .containsExactly(Cause.HEADER_ELSEWHERE);
  }

  @Test
  void findsAHeaderThatIsSentTwiceOrJoined() {
    assertThat(Sent.right().and("appid", Sent.APPID).causes())
        .containsExactly(Cause.HEADER_REPEATED);
    assertThat(Sent.right().with("appid", Sent.APPID + ", " + Sent.APPID).causes())
        .containsExactly(Cause.HEADER_JOINED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$TOKEN",
        "${TOKEN}",
        "{{token}}",
        "<token>",
        "YOUR_TOKEN",
        "ACCESSTOKEN",
        "srt_7g…"
      })
  void findsAPlaceholder(String value) {
    assertThat(Sent.right().with("accesstoken", value).causes())
        .containsExactly(Cause.HEADER_PLACEHOLDER);
  }

  @Test
  void findsExtraCharactersAroundAValue() {
    assertThat(Sent.right().with("accesstoken", "\"" + Sent.TOKEN + "\"").causes())
        .containsExactly(Cause.HEADER_QUOTED);
    assertThat(Sent.right().with("accesstoken", "Bearer " + Sent.TOKEN).causes())
        .containsExactly(Cause.TOKEN_BEARER);
    assertThat(Sent.right().with("accesstoken", Sent.TOKEN.replace("_", "%5F")).causes())
        .containsExactly(Cause.HEADER_ENCODED);
    assertThat(Sent.right().with("appid", Sent.APPID + "\u200b").checked().all().get(0))
        .isEqualTo(
            new CheckProblem(
                Cause.HEADER_CHARACTERS,
                "headers.appid",
                "A-Z a-z 0-9 _ -",
                "U+200B (ZERO WIDTH SPACE)"));
  }

  @Test
  void findsAHeaderThatIsTooLong() {
    assertThat(Sent.right().with("appid", "a".repeat(256)).causes())
        .doesNotContain(Cause.HEADER_TOO_LONG);
    assertThat(Sent.right().with("appid", "a".repeat(257)).causes())
        .containsExactly(Cause.HEADER_TOO_LONG);
  }

  @Test
  void findsSwappedHeaderValues() {
    CapturedRequest right = Sent.right().captured();

    assertThat(Sent.right().with("sign", Sent.TIME).with("timestamp", right.value("sign")).causes())
        .containsExactly(Cause.HEADERS_SWAPPED);
    assertThat(Sent.right().with("appid", Sent.TOKEN).with("accesstoken", Sent.APPID).causes())
        .startsWith(Cause.HEADERS_SWAPPED);
  }

  @Test
  void warnsWhenTheSecretIsSent() {
    assertThat(Sent.right().and("secret", "anything").causes()).containsExactly(Cause.SECRET_SENT);
    Report report = Sent.right().and("X-Debug", "k=" + Sent.SECRET).checked();
    assertThat(report.all()).hasSize(1);
    assertThat(report.toString()).doesNotContain(Sent.SECRET);
    assertThat(Sent.right().and("X-Debug", "k=v").causes()).isEmpty();
  }
}
