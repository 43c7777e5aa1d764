package io.stockroom.core.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Signature;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HmacTest {
  private static final String PATH = "/Stock/Product";
  private static final String QUERY = "page=1";
  private static final String BODY = "stock=true";

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final String now = Long.toString(Instant.now().getEpochSecond());

  @Test
  void acceptsASignedRequest() {
    String sign = sign("POST", PATH + "?" + QUERY, now, api.accesstoken(), BODY);

    assertThat(send(sign).status()).isEqualTo(200);
    assertThat(send(sign.toLowerCase(Locale.ROOT)).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"method", "path", "query", "timestamp", "token", "body", "secret"})
  void coversEachPartOfTheRequest(String part) {
    String sign =
        Signature.hmac(
            part.equals("secret") ? "another" : api.secret(),
            part.equals("method") ? "GET" : "POST",
            (part.equals("path") ? "/Stock/List" : PATH)
                + (part.equals("query") ? "?page=2" : "?" + QUERY),
            part.equals("timestamp") ? "" + (Long.parseLong(now) - 1) : now,
            part.equals("token") ? "srt_another" : api.accesstoken(),
            (part.equals("body") ? "stock=false" : BODY).getBytes(UTF_8));

    assertThat(send(sign).codes()).containsExactly("CREDENTIALS_WRONG");
  }

  @Test
  void signsAnEmptyBody() {
    String sign = sign("POST", "/Usage", now, api.accesstoken(), "");

    assertThat(
            api.call("/Usage")
                .at(now)
                .header("sign-method", "HMAC-SHA256")
                .header("sign", sign)
                .send()
                .status())
        .isEqualTo(200);
  }

  @Test
  void doesNotMixUpMd5AndHmac() {
    assertThat(send(api.sign(now)).codes()).containsExactly("SIGN_FORMAT");
    String hmac = sign("POST", PATH + "?" + QUERY, now, api.accesstoken(), BODY);
    assertThat(api.call(PATH).query(QUERY).form(BODY).at(now).header("sign", hmac).send().codes())
        .containsExactly("SIGN_FORMAT");
    assertThat(api.call(PATH).query(QUERY).header("sign-method", "md5").send().places())
        .contains("headers.sign-method");
  }

  @Test
  void worksWithBothSecretsOfARotation() {
    String old = sign("POST", PATH + "?" + QUERY, now, api.accesstoken(), BODY);
    Admin.of(TestServer.shared())
        .post("/admin/applications/" + api.appid() + "/rotate", "{\"grace\":\"PT1H\"}");

    assertThat(send(old).status()).isEqualTo(200);
  }

  @Test
  void canBeRequiredOfAnApplication() {
    assertThat(api.products("page=1").status()).isEqualTo(200);

    change("{\"requireHmac\":true}");

    assertThat(
            Eventually.within(Duration.ofSeconds(5), () -> api.products("page=1").status() == 400))
        .isTrue();
    assertThat(api.products("page=1").codes()).containsExactly("SIGN_METHOD_REQUIRED");
    assertThat(send(sign("POST", PATH + "?" + QUERY, now, api.accesstoken(), BODY)).status())
        .isEqualTo(200);
    change("{\"requireHmac\":false}");
    assertThat(api.products("page=1").status()).isEqualTo(200);
  }

  @Test
  void acceptsOnlyABooleanForRequireHmac() {
    Reply reply =
        Admin.of(TestServer.shared())
            .send("PATCH", "/admin/applications/" + api.appid(), "{\"requireHmac\":\"yes\"}");

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.places()).containsExactly("requireHmac");
  }

  private Reply send(String sign) {
    return api.call(PATH)
        .query(QUERY)
        .form(BODY)
        .at(now)
        .header("sign-method", "hmac-sha256")
        .header("sign", sign)
        .send();
  }

  private String sign(String method, String path, String timestamp, String token, String body) {
    return Signature.hmac(api.secret(), method, path, timestamp, token, body.getBytes(UTF_8));
  }

  private void change(String body) {
    assertThat(
            Admin.of(TestServer.shared())
                .send("PATCH", "/admin/applications/" + api.appid(), body)
                .status())
        .isEqualTo(200);
  }
}
