package io.stockroom.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stockroom.client.WebhookVerificationException.Reason;
import io.stockroom.protocol.Size;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Signatures by the Standard Webhooks specification. */
class WebhooksTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String OTHER_SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final Instant SENT = Instant.ofEpochSecond(1_614_265_330);

  private static final byte[] BODY =
      """
      {"type":"changes","timestamp":"2021-02-25T15:02:10Z","data":{"merchantId":7,"cursor":"c_x","changes":[
      {"number":3,"at":"2021-02-25T15:02:09.5Z","kind":"stock","pid":1,"artNo":"A1","source":"interface",
       "batch":"b_1","entries":[{"guid":"0a","barCode":null,"color":"红","size":36,"before":null,"after":20}]}]}}"""
          .getBytes(StandardCharsets.UTF_8);

  private final Map<String, String> headers = new HashMap<>();

  WebhooksTest() {
    headers.put("webhook-id", ID);
    headers.put("webhook-timestamp", Long.toString(SENT.getEpochSecond()));
    headers.put("webhook-signature", signed(SECRET, BODY));
  }

  private static String signed(String secret, byte[] body) {
    byte[] signature =
        WebhookSignature.sign(
            WebhookSignature.key(secret), ID, Long.toString(SENT.getEpochSecond()), body);
    return "v1," + Base64.getEncoder().encodeToString(signature);
  }

  private WebhookMessage verifyAt(Instant now, String... secrets) {
    return Webhooks.verify(
        headers::get, BODY, List.of(secrets), Webhooks.TOLERANCE, Clock.fixed(now, ZoneOffset.UTC));
  }

  private Reason reason(Instant now, String... secrets) {
    return catchThrowableOfType(WebhookVerificationException.class, () -> verifyAt(now, secrets))
        .reason();
  }

  @Test
  void signsAsTheVectorOfTheSpecification() {
    byte[] body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
    assertThat(signed(SECRET, body)).isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @Test
  void readsAVerifiedMessage() {
    WebhookMessage message = verifyAt(SENT, SECRET);
    assertThat(message.id()).isEqualTo(ID);
    assertThat(message.merchantId()).isEqualTo(7);
    assertThat(message.cursor()).isEqualTo("c_x");
    assertThat(message.changes())
        .containsExactly(
            new StockChange(
                3,
                Instant.parse("2021-02-25T15:02:09.500Z"),
                1,
                "A1",
                "interface",
                "b_1",
                List.of(new StockChange.Entry("0a", null, "红", Size.of(36), null, 20))));
  }

  @Test
  void acceptsTheToleranceAndNotASecondMore() {
    Duration tolerance = Duration.ofMinutes(5);
    assertThat(verifyAt(SENT.plus(tolerance), SECRET)).isNotNull();
    assertThat(verifyAt(SENT.minus(tolerance), SECRET)).isNotNull();
    assertThat(reason(SENT.plus(tolerance).plusSeconds(1), SECRET))
        .isEqualTo(Reason.TIMESTAMP_TOO_OLD);
    assertThat(reason(SENT.minus(tolerance).minusSeconds(1), SECRET))
        .isEqualTo(Reason.TIMESTAMP_TOO_NEW);
  }

  @Test
  void acceptsEitherSecretDuringARotation() {
    assertThat(verifyAt(SENT, OTHER_SECRET, SECRET)).isNotNull();
    assertThat(verifyAt(SENT, SECRET, OTHER_SECRET)).isNotNull();
    assertThat(reason(SENT, OTHER_SECRET)).isEqualTo(Reason.SIGNATURE_WRONG);
  }

  @Test
  void acceptsOneOfSeveralSignatures() {
    String right = signed(SECRET, BODY);
    headers.put(
        "webhook-signature",
        "v1a,abc v1,%%% " + signed(OTHER_SECRET, BODY) + " " + right + " v2,xyz");
    assertThat(verifyAt(SENT, SECRET)).isNotNull();
    headers.put("webhook-signature", right.replaceFirst("v1,", "v2,"));
    assertThat(reason(SENT, SECRET)).isEqualTo(Reason.SIGNATURE_WRONG);
    headers.put("webhook-signature", right.substring(0, right.length() - 8));
    assertThat(reason(SENT, SECRET)).isEqualTo(Reason.SIGNATURE_WRONG);
  }

  @Test
  void acceptsASecretWithoutItsPrefix() {
    assertThat(verifyAt(SENT, SECRET.substring("whsec_".length()))).isNotNull();
  }

  @Test
  void rejectsWhatWasChangedOnItsWay() {
    for (String name : List.of("webhook-id", "webhook-timestamp")) {
      String before = String.valueOf(headers.get(name));
      headers.put(name, before.replaceFirst(".$", "1"));
      assertThat(reason(SENT, SECRET)).as(name).isEqualTo(Reason.SIGNATURE_WRONG);
      headers.put(name, before);
    }
    byte[] changed = BODY.clone();
    changed[changed.length - 1] = ' ';
    assertThatThrownBy(
            () ->
                Webhooks.verify(
                    headers::get,
                    changed,
                    List.of(SECRET),
                    Webhooks.TOLERANCE,
                    Clock.fixed(SENT, ZoneOffset.UTC)))
        .hasMessageContaining("No signature");
  }

  @Test
  void namesAMissingHeader() {
    for (String name : List.of("webhook-id", "webhook-timestamp", "webhook-signature")) {
      String before = String.valueOf(headers.remove(name));
      assertThat(reason(SENT, SECRET)).as(name).isEqualTo(Reason.HEADER_MISSING);
      headers.put(name, before);
    }
    headers.put("webhook-timestamp", "-5");
    assertThat(reason(SENT, SECRET)).isEqualTo(Reason.TIMESTAMP_FORMAT);
  }

  @Test
  void rejectsASignedBodyThatIsNoMessage() {
    byte[] body = "{\"type\":\"changes\"}".getBytes(StandardCharsets.UTF_8);
    headers.put("webhook-signature", signed(SECRET, body));
    WebhookVerificationException rejected =
        catchThrowableOfType(
            WebhookVerificationException.class,
            () ->
                Webhooks.verify(
                    headers::get,
                    body,
                    List.of(SECRET),
                    Webhooks.TOLERANCE,
                    Clock.fixed(SENT, ZoneOffset.UTC)));
    assertThat(rejected.reason()).isEqualTo(Reason.BODY_FORMAT);
    assertThat(rejected).hasMessageContaining("\"data\" is missing");
  }

  @Test
  void neverShowsAMalformedSecret() {
    assertThatThrownBy(() -> verifyAt(SENT, "whsec_not base64"))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .doesNotContain("not base64");
    assertThatThrownBy(() -> verifyAt(SENT)).isInstanceOf(IllegalArgumentException.class);
  }
}
