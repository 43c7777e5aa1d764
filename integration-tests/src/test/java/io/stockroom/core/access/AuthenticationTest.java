package io.stockroom.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticationTest {
  private static final String LIST = "/Stock/Product";

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @ParameterizedTest
  @ValueSource(strings = {"appid", "sign", "timestamp", "accesstoken"})
  void requiresEachOfTheFourHeaders(String header) {
    Reply missing = api.call(LIST).form("page=1").without(header).send();
    Reply empty = api.call(LIST).form("page=1").header(header, "  ").send();

    assertThat(missing.status()).isEqualTo(400);
    assertThat(missing.codes()).containsExactly("HEADER_MISSING");
    assertThat(missing.places()).containsExactly("headers." + header);
    assertThat(empty.whole()).isEqualTo(missing.whole());
  }

  @Test
  void listsAllProblemsOfTheHeadersAtOnce() {
    Reply reply =
        api.call(LIST).form("page=1").without("appid").at("17").header("sign", "xyz").send();

    assertThat(reply.places())
        .containsExactlyInAnyOrder("headers.appid", "headers.sign", "headers.timestamp");
  }

  @ParameterizedTest
  @ValueSource(strings = {"appid", "sign", "timestamp", "accesstoken"})
  void rejectsARepeatedHeader(String header) {
    String request =
        api.call(LIST)
            .query("page=1")
            .head(header + ": 1", "Content-Length: 0", "Connection: close");

    Reply reply = Http.rawReply(api.server(), request);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).contains("HEADER_REPEATED");
    assertThat(reply.places()).contains("headers." + header);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1700000000000",
        "170000000",
        "17000000OO",
        "1700000000.0",
        "-170000000",
        "0x65a0bc00"
      })
  void rejectsATimestampThatIsNotTenDigits(String timestamp) {
    Reply reply = api.call(LIST).form("page=1").at(timestamp).send();

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("TIMESTAMP_FORMAT");
    assertThat(reply.msg()).contains(timestamp);
  }

  @Test
  void rejectsTimestampOutsideTheWindow() {
    long now = Instant.now().getEpochSecond();

    assertThat(api.call(LIST).form("page=1").at(now - 295).send().status()).isEqualTo(200);
    assertThat(api.call(LIST).form("page=1").at(now + 300).send().status()).isEqualTo(200);
    Reply early = api.call(LIST).form("page=1").at(now - 301).send();
    Reply late = api.call(LIST).form("page=1").at(now + 310).send();

    assertThat(early.status()).isEqualTo(400);
    assertThat(early.codes()).containsExactly("TIMESTAMP_WINDOW");
    assertThat(late.codes()).containsExactly("TIMESTAMP_WINDOW");
    assertThat(early.msg()).contains("" + (now - 301), "300");
  }

  @Test
  void acceptsTheSignatureInLowerCase() {
    long now = Instant.now().getEpochSecond();
    String sign = api.sign("" + now);
    assertThat(sign).matches("[0-9A-F]{32}");

    Reply reply =
        api.call(LIST).form("page=1").at(now).header("sign", sign.toLowerCase(Locale.ROOT)).send();

    assertThat(reply.status()).isEqualTo(200);
  }

  @Test
  void rejectsASignatureOf16Characters() {
    long now = Instant.now().getEpochSecond();
    String middle = api.sign("" + now).substring(8, 24);

    Reply reply = api.call(LIST).form("page=1").at(now).header("sign", middle).send();

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("SIGN_FORMAT");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0123456789ABCDEF0123456789ABCDE",
        "0123456789ABCDEF0123456789ABCDEF0",
        "0123456789ABCDEF0123456789ABCDEG"
      })
  void rejectsASignatureThatIsNot32Hexadecimals(String sign) {
    assertThat(api.call(LIST).form("page=1").header("sign", sign).send().codes())
        .containsExactly("SIGN_FORMAT");
  }

  @Test
  void respondsAlikeToUnknownApplicationWrongSignatureAndWrongToken() {
    TestMerchant stranger = TestMerchant.fresh();
    Reply unknown = api.withAppid("app_nobody").products("page=1");

    assertThat(unknown.status()).isEqualTo(400);
    assertThat(unknown.codes()).containsExactly("CREDENTIALS_WRONG");
    for (Api wrong :
        List.of(
            api.withSecret("another"),
            api.withToken("srt_nothing"),
            api.withToken(stranger.api().accesstoken()),
            api.withAppid(stranger.api().appid()))) {
      assertThat(wrong.products("page=1").whole()).isEqualTo(unknown.whole());
    }
  }

  @Test
  void rejectsASignatureOfAnotherTimestamp() {
    long now = Instant.now().getEpochSecond();

    Reply reply = api.call(LIST).form("page=1").at(now).header("timestamp", "" + (now - 1)).send();

    assertThat(reply.codes()).containsExactly("CREDENTIALS_WRONG");
  }

  @Test
  void rejectsHeadersThatAreTooLongOrHaveInvalidCharacters() {
    assertThat(api.call(LIST).form("page=1").header("appid", "a".repeat(256)).send().codes())
        .containsExactly("CREDENTIALS_WRONG");
    assertThat(api.call(LIST).form("page=1").header("appid", "a".repeat(257)).send().codes())
        .containsExactly("HEADER_FORMAT");
    assertThat(api.call(LIST).form("page=1").header("accesstoken", "a b").send().codes())
        .containsExactly("HEADER_FORMAT");
  }

  @Test
  void authenticatesBeforeCheckingParameters() {
    assertThat(api.withSecret("another").create("[").codes()).containsExactly("CREDENTIALS_WRONG");
    assertThat(api.withSecret("another").products("page=0").codes())
        .containsExactly("CREDENTIALS_WRONG");
  }

  @Test
  void writesNothingForAnUnauthenticatedCaller() {
    int pid = merchant.product();

    assertThat(api.withSecret("another").create(Stock.one(pid, "red", "36", 1)).status())
        .isEqualTo(400);
    assertThat(merchant.entries()).isZero();
  }
}
