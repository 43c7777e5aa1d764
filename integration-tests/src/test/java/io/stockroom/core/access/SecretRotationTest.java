package io.stockroom.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SecretRotationTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Api first = TestMerchant.fresh().api();

  @Test
  void acceptsBothSecretsDuringTheGracePeriod() {
    Reply rotated = rotate("{\"grace\":\"PT1H\"}");
    Api second = first.withSecret(secret(rotated));

    assertThat(isIn(first)).isTrue();
    assertThat(isIn(second)).isTrue();
    assertThat(Instant.parse(rotated.json().get("previousSecretUntil").asString()))
        .isBetween(Instant.now().plusSeconds(3500), Instant.now().plusSeconds(3600));
  }

  @Test
  void rejectsTheOldSecretAfterTheGracePeriod() {
    Api second = first.withSecret(secret(rotate("{\"grace\":\"PT1S\"}")));
    assertThat(isIn(second)).isTrue();

    assertThat(Eventually.within(Duration.ofSeconds(5), () -> !isIn(first))).isTrue();
    assertThat(isIn(second)).isTrue();
  }

  @Test
  void rejectsTheOldSecretImmediatelyWithoutAGracePeriod() {
    Api elsewhere = first.on(Nodes.three().get(2));
    assertThat(isIn(first)).isTrue();
    assertThat(isIn(elsewhere)).isTrue();

    Api second = first.withSecret(secret(rotate("{\"grace\":\"PT0S\"}")));

    assertThat(isIn(second)).isTrue();
    assertThat(isIn(second.on(elsewhere.server()))).isTrue();
    assertThat(Eventually.within(SECOND, () -> !isIn(first) && !isIn(elsewhere))).isTrue();
    Reply shown = Admin.of(TestServer.shared()).get("/admin/applications/" + first.appid());
    assertThat(shown.json().get("previousSecretUntil").isNull()).isTrue();
  }

  @Test
  void rejectsTheOldestSecretAfterASecondRotation() {
    Api second = first.withSecret(secret(rotate("{\"grace\":\"P7D\"}")));
    Api third = first.withSecret(secret(rotate("{\"grace\":\"P7D\"}")));

    assertThat(isIn(first)).isFalse();
    assertThat(isIn(second)).isTrue();
    assertThat(isIn(third)).isTrue();
  }

  @Test
  void graceIsSevenDaysByDefault() {
    String until = rotate("{}").json().get("previousSecretUntil").asString();

    assertThat(Duration.between(Instant.now(), Instant.parse(until)))
        .isBetween(Duration.ofDays(7).minusMinutes(1), Duration.ofDays(7));
  }

  @Test
  void rejectsAnInvalidGracePeriod() {
    for (String grace : new String[] {"-P1D", "soon", "PT0.5S", ""}) {
      Reply reply = rotate("{\"grace\":\"" + grace + "\"}");
      assertThat(reply.status()).as(grace).isEqualTo(400);
      assertThat(reply.places()).containsExactly("grace");
    }
    assertThat(isIn(first)).isTrue();
  }

  @Test
  void rejectsAnUnknownApplication() {
    Reply reply = Admin.of(TestServer.shared()).post("/admin/applications/app_no/rotate", "{}");

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.codes()).containsExactly("APPLICATION_MISSING");
  }

  private Reply rotate(String body) {
    return Admin.of(TestServer.shared())
        .post("/admin/applications/" + first.appid() + "/rotate", body);
  }

  private static String secret(Reply reply) {
    assertThat(reply.status()).isEqualTo(200);
    return reply.json().get("secret").asString();
  }

  private static boolean isIn(Api api) {
    return api.products("page=1").status() == 200;
  }
}
