package io.stockroom.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final int pid = merchant.product();

  @Test
  void isRejectedOnEveryNodeAfterItsRevocation() {
    Api elsewhere = api.on(TestServer.other());
    assertThat(api.products("page=1").status()).isEqualTo(200);
    assertThat(elsewhere.products("page=1").status()).isEqualTo(200);

    revoke(api.accesstoken());

    Duration soon = Duration.ofSeconds(6);
    assertThat(
            Eventually.within(
                soon,
                () -> isRefused(elsewhere, "TOKEN_REVOKED") && isRefused(api, "TOKEN_REVOKED")))
        .isTrue();
    assertThat(api.create(Stock.one(pid, "red", "36", 1)).codes()).containsExactly("TOKEN_REVOKED");
  }

  @Test
  void staysValidWhenAnotherTokenOfTheApplicationIsRevoked() {
    Api second = merchant.token("\"boundStore\":\"shop\"");
    revoke(second.accesstoken());

    assertThat(second.products("page=1").codes()).containsExactly("TOKEN_REVOKED");
    assertThat(api.products("page=1").status()).isEqualTo(200);
  }

  @Test
  void isRejectedAfterItExpires() {
    Api expiring = merchant.token("\"expires\":\"PT1S\"");

    assertThat(Eventually.within(Duration.ofSeconds(5), () -> isRefused(expiring, "TOKEN_EXPIRED")))
        .isTrue();
    assertThat(merchant.token("\"expires\":\"PT1H\"").products("page=1").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "product:read, /Stock/Product",
    "stock:read, /Stock/List",
    "stock:write, /Stock/Creat",
    "detail:read, /Product/Detail"
  })
  void allowsOnlyTheEndpointsOfItsScopes(String scope, String open) {
    Api scoped = merchant.token("\"scopes\":[\"" + scope + "\"]");
    Map<String, String> bodies =
        Map.of(
            "/Stock/Product",
            "page=1",
            "/Stock/List",
            "productid=" + pid,
            "/Stock/Creat",
            Stock.one(pid, "red", "36", 1),
            "/Product/Detail",
            "pid=" + pid);

    bodies.forEach(
        (path, body) -> {
          boolean json = path.equals("/Stock/Creat");
          Reply reply =
              json ? scoped.call(path).json(body).send() : scoped.call(path).form(body).send();
          if (path.equals(open)) {
            assertThat(reply.status()).as(path).isEqualTo(200);
          } else {
            assertThat(reply.status()).as(path).isEqualTo(400);
            assertThat(reply.codes()).as(path).containsExactly("SCOPE_MISSING");
            assertThat(reply.msg()).contains(scope);
          }
        });
  }

  @Test
  void isStoredAsAHashOnly() {
    String token = api.accesstoken();

    assertThat(token).startsWith("srt_").hasSizeGreaterThanOrEqualTo(43);
    assertThat(
            merchant.inDirectory(
                "select t::text from access_token t where merchant_id = ? and t::text like '%"
                    + token.substring(12)
                    + "%'"))
        .isEmpty();
  }

  @Test
  void secretsAreStoredEncrypted() {
    String hex = HexFormat.of().formatHex(api.secret().getBytes(StandardCharsets.UTF_8));

    List<String> stored =
        merchant.inDirectory(
            "select encode(secret, 'hex') from application where appid = '" + api.appid() + "'");

    assertThat(stored).hasSize(1).noneMatch(text -> text.contains(hex));
  }

  private static boolean isRefused(Api api, String code) {
    Reply reply = api.products("page=1");
    return reply.status() == 400 && reply.codes().equals(List.of(code));
  }

  private static void revoke(String token) {
    Reply reply =
        Admin.of(TestServer.shared()).post("/admin/tokens/revoke", "{\"token\":\"" + token + "\"}");
    assertThat(reply.status()).isEqualTo(200);
  }
}
