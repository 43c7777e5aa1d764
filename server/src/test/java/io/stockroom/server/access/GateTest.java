package io.stockroom.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Scope;
import io.stockroom.protocol.Signature;
import io.stockroom.server.load.Places;
import io.stockroom.server.settings.Settings;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gate with a clock of the test's own, where the last second counts. */
class GateTest {
  private static final long NOW = 1_800_000_000;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @ParameterizedTest
  @ValueSource(longs = {-300, -299, 0, 299, 300})
  void letsInWithin300Seconds(long offset) throws Exception {
    assertThat(admit(gate(NOW), api, NOW + offset)).isInstanceOf(Caller.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {-301, 301, -1_700_000_000, 8_199_999_999L})
  void refusesBeyond300Seconds(long offset) throws Exception {
    assertThat(refusal(admit(gate(NOW), api, NOW + offset))).isEqualTo(ErrorCode.TIMESTAMP_WINDOW);
  }

  @Test
  void countsFromTheStartOfTheServersSecond() throws Exception {
    Gate gate = gate(Instant.ofEpochSecond(NOW, 999_999_999));

    assertThat(admit(gate, api, NOW - 300)).isInstanceOf(Caller.class);
    assertThat(refusal(admit(gate, api, NOW - 301))).isEqualTo(ErrorCode.TIMESTAMP_WINDOW);
  }

  @Test
  void lastsUntilTheMomentOfExpiry() throws Exception {
    Api expiring = merchant.token("\"expires\":\"P1D\"");
    Instant end =
        Instant.parse(
            merchant
                .texts(
                    """
                    select to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
                    from access_token where merchant_id = ? and expires_at is not null""")
                .getFirst());

    assertThat(admit(gate(end.minusNanos(1000)), expiring, end.getEpochSecond()))
        .isInstanceOf(Caller.class);
    assertThat(refusal(admit(gate(end), expiring, end.getEpochSecond())))
        .isEqualTo(ErrorCode.TOKEN_EXPIRED);
  }

  @Test
  void checksTheWindowBeforeTheToken() throws Exception {
    assertThat(refusal(admit(gate(NOW), api.withToken("srt_wrong"), NOW - 301)))
        .isEqualTo(ErrorCode.TIMESTAMP_WINDOW);
    assertThat(refusal(admit(gate(NOW), api.withSecret("wrong"), NOW - 301)))
        .isEqualTo(ErrorCode.CREDENTIALS_WRONG);
  }

  private static ErrorCode refusal(Admission admission) {
    return switch (admission) {
      case Admission.Refused refused -> refused.problem().code();
      case Caller caller -> throw new AssertionError("let in: " + caller);
    };
  }

  private static Admission admit(Gate gate, Api api, long timestamp) throws SQLException {
    String text = "%010d".formatted(timestamp);
    return gate.admit(
        new Claim(
            api.appid(),
            Signature.sign(api.secret(), text),
            text,
            api.accesstoken(),
            new Claim.Signed.Md5(),
            "127.0.0.1"),
        Scope.STOCK_READ);
  }

  private static Gate gate(long now) throws IOException {
    return gate(Instant.ofEpochSecond(now));
  }

  private static Gate gate(Instant now) throws IOException {
    TestServer server = TestServer.shared();
    SecretKeys keys = SecretKeys.ofFile(server.dataFolder().resolve("secret.key"));
    Credentials credentials =
        new Credentials(server.database(), new SecretBox(keys::read), Settings.with(Map.of()));
    return new Gate(
        credentials,
        Clock.fixed(now, ZoneOffset.UTC),
        Duration.ofMinutes(5),
        600,
        new Places(4, Duration.ofSeconds(2)));
  }
}
