package io.stockroom.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.access.Authenticator.SignedHeaders;
import io.stockroom.core.admission.ConcurrencyLimit;
import io.stockroom.core.call.SignatureRule;
import io.stockroom.core.settings.Settings;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Scope;
import io.stockroom.protocol.Signature;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the exact limits of time with a clock that the test controls. */
class AuthenticatorTest {
  private static final long NOW = 1_800_000_000;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @ParameterizedTest
  @ValueSource(longs = {-300, -299, 0, 299, 300})
  void acceptsTimestampsWithin300Seconds(long offset) throws Exception {
    assertThat(authenticate(authenticator(NOW), api, NOW + offset))
        .isInstanceOf(Authenticator.Result.Authenticated.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {-301, 301, -1_700_000_000, 8_199_999_999L})
  void rejectsTimestampsBeyond300Seconds(long offset) throws Exception {
    assertThat(rejection(authenticate(authenticator(NOW), api, NOW + offset)))
        .isEqualTo(ErrorCode.TIMESTAMP_WINDOW);
  }

  @Test
  void countsFromTheStartOfTheServersSecond() throws Exception {
    Authenticator authenticator = authenticator(Instant.ofEpochSecond(NOW, 999_999_999));

    assertThat(authenticate(authenticator, api, NOW - 300))
        .isInstanceOf(Authenticator.Result.Authenticated.class);
    assertThat(rejection(authenticate(authenticator, api, NOW - 301)))
        .isEqualTo(ErrorCode.TIMESTAMP_WINDOW);
  }

  @Test
  void acceptsATokenUntilItExpires() throws Exception {
    Api expiring = merchant.token("\"expires\":\"P1D\"");
    Instant end =
        Instant.parse(
            merchant
                .inDirectory(
                    """
                    select to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
                    from access_token where merchant_id = ? and expires_at is not null""")
                .getFirst());

    assertThat(authenticate(authenticator(end.minusNanos(1000)), expiring, end.getEpochSecond()))
        .isInstanceOf(Authenticator.Result.Authenticated.class);
    assertThat(rejection(authenticate(authenticator(end), expiring, end.getEpochSecond())))
        .isEqualTo(ErrorCode.TOKEN_EXPIRED);
  }

  @Test
  void checksTheWindowBeforeTheToken() throws Exception {
    assertThat(rejection(authenticate(authenticator(NOW), api.withToken("srt_wrong"), NOW - 301)))
        .isEqualTo(ErrorCode.TIMESTAMP_WINDOW);
    assertThat(rejection(authenticate(authenticator(NOW), api.withSecret("wrong"), NOW - 301)))
        .isEqualTo(ErrorCode.CREDENTIALS_WRONG);
  }

  @Test
  void doesTheSameWorkForEveryRejection() throws Exception {
    CountingBox box = new CountingBox();
    Authenticator authenticator = authenticator(Instant.ofEpochSecond(NOW), box);
    for (boolean isRemembered : new boolean[] {false, true}) {
      if (isRemembered) {
        assertThat(authenticate(authenticator, api, NOW))
            .isInstanceOf(Authenticator.Result.Authenticated.class);
      }
      for (Api wrong :
          List.of(
              api.withAppid("app_unknown"), api.withSecret("wrong"), api.withToken("srt_wrong"))) {
        int before = box.opened.get();
        AtomicInteger tried = new AtomicInteger();

        assertThat(
                rejection(
                    authenticator.authenticate(
                        counted(headers(wrong, NOW), tried), Scope.STOCK_READ, SignatureRule.ANY)))
            .isEqualTo(ErrorCode.CREDENTIALS_WRONG);

        assertThat(tried).as("both secrets, from memory and from the database").hasValue(4);
        assertThat(box.opened.get() - before).as("secrets opened").isEqualTo(2);
      }
    }
  }

  @Test
  void attributesOnlyAuthenticatedCallsToTheMerchant() throws Exception {
    Authenticator authenticator = authenticator(NOW);
    Api narrow = merchant.token("\"scopes\":[\"product:read\"]");

    assertThat(merchantOf(authenticate(authenticator, narrow, NOW))).isEqualTo(merchant.id());
    assertThat(merchantOf(authenticate(authenticator, narrow, NOW - 301))).isZero();
    assertThat(merchantOf(authenticate(authenticator, api.withSecret("wrong"), NOW))).isZero();
    assertThat(merchantOf(authenticate(authenticator, api.withToken("srt_wrong"), NOW))).isZero();
  }

  private static int merchantOf(Authenticator.Result result) {
    return switch (result) {
      case Authenticator.Result.Rejected refused -> refused.merchantId();
      case Authenticator.Result.Authenticated caller ->
          throw new AssertionError("let in: " + caller);
    };
  }

  /** Counts how often a secret is decrypted. */
  private static final class CountingBox extends SecretBox {
    private final AtomicInteger opened = new AtomicInteger();

    private CountingBox() throws IOException {
      super(SecretKeys.ofFile(TestServer.shared().dataFolder().resolve("secret.key"))::read);
    }

    @Override
    String open(byte[] box, String appid) {
      opened.incrementAndGet();
      return super.open(box, appid);
    }
  }

  private static SignedHeaders counted(SignedHeaders headers, AtomicInteger tried) {
    return new SignedHeaders(
        headers.appid(),
        headers.timestamp(),
        headers.accesstoken(),
        secret -> {
          tried.incrementAndGet();
          return headers.signed().isMadeWith(secret);
        },
        headers.address());
  }

  private static ErrorCode rejection(Authenticator.Result result) {
    return switch (result) {
      case Authenticator.Result.Rejected refused -> refused.problem().code();
      case Authenticator.Result.Authenticated caller ->
          throw new AssertionError("let in: " + caller);
    };
  }

  private static Authenticator.Result authenticate(
      Authenticator authenticator, Api api, long timestamp) throws SQLException {
    return authenticator.authenticate(headers(api, timestamp), Scope.STOCK_READ, SignatureRule.ANY);
  }

  private static SignedHeaders headers(Api api, long timestamp) {
    String text = "%010d".formatted(timestamp);
    return new SignedHeaders(
        api.appid(),
        text,
        api.accesstoken(),
        new SignedHeaders.Md5(text, Signature.sign(api.secret(), text)),
        "127.0.0.1");
  }

  private static Authenticator authenticator(long now) throws IOException {
    return authenticator(Instant.ofEpochSecond(now));
  }

  private static Authenticator authenticator(Instant now) throws IOException {
    return authenticator(now, new CountingBox());
  }

  private static Authenticator authenticator(Instant now, SecretBox box) {
    TestServer server = TestServer.shared();
    Credentials credentials = new Credentials(server.cells(), box, Settings.with(Map.of()));
    return new Authenticator(
        credentials,
        Clock.fixed(now, ZoneOffset.UTC),
        Clock.fixed(now, ZoneOffset.UTC),
        Duration.ofMinutes(5),
        false,
        600,
        Duration.ZERO,
        new ConcurrencyLimit(4, Duration.ofSeconds(2)));
  }
}
