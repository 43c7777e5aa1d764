package io.stockroom.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class AdminApiTest {
  private final TestServer server = TestServer.shared();
  private final Admin admin = Admin.of(server);

  @Test
  void rejectsAWrongOrMissingKey() {
    for (String key : new String[] {"wrong", "", server.operatorKey() + "x"}) {
      Reply reply = admin.withKey(key).get("/admin/merchants");

      assertThat(reply.status()).isEqualTo(401);
      assertThat(reply.codes()).containsExactly("OPERATOR_KEY_WRONG");
      assertThat(reply.header("www-authenticate")).hasValue("Bearer");
    }
    assertThat(admin.get("/admin/merchants").status()).isEqualTo(200);
  }

  @Test
  void throttlesWrongKeysOfAnAddressButNeverTheRightOne() {
    TestServer strict = Nodes.strict();
    List<Reply> wrong = new ArrayList<>();
    for (int i = 0; i < 14; i++) {
      wrong.add(fromAddress(strict, "192.0.2.77", "wrong"));
    }

    assertThat(wrong).extracting(Reply::status).startsWith(401).containsOnly(401, 429);
    Reply throttled =
        wrong.stream().filter(reply -> reply.status() == 429).findFirst().orElseThrow();
    assertThat(throttled.codes()).containsExactly("OPERATOR_KEY_THROTTLED");
    assertThat(Integer.parseInt(throttled.header("retry-after").orElseThrow())).isBetween(1, 60);
    assertThat(fromAddress(strict, "192.0.2.77", strict.operatorKey()).status()).isEqualTo(200);
    assertThat(fromAddress(strict, "192.0.2.78", "wrong").status()).isEqualTo(401);
    assertThat(
            Eventually.within(
                Duration.ofMinutes(1),
                () -> {
                  String log = admin.get("/admin/audit?merchant=0").body();
                  return log.contains("operator-key.wrong") && log.contains("192.0.2.77");
                }))
        .as("the audit log names the address")
        .isTrue();
  }

  private static Reply fromAddress(TestServer server, String address, String key) {
    return Http.send(
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.adminPort() + "/admin/merchants"))
            .header("Authorization", "Bearer " + key)
            .header("X-Forwarded-For", address));
  }

  @Test
  void revealsNoRoutesWithoutTheKey() {
    assertThat(admin.withKey("wrong").get("/admin/nothing").whole())
        .isEqualTo(admin.withKey("wrong").get("/admin/merchants").whole());
  }

  @Test
  void returns404ForUnknownRoutesAnd405ForOtherMethods() {
    assertThat(admin.get("/admin/nothing").status()).isEqualTo(404);
    assertThat(admin.get("/admin").status()).isEqualTo(404);
    Reply reply = admin.send("DELETE", "/admin/merchants", "");

    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.header("allow")).hasValue("POST, GET");
  }

  @Test
  void createsAMerchantAndListsItWithItsCounts() {
    TestMerchant merchant = TestMerchant.fresh();
    int pid = merchant.products(3).getFirst();
    merchant.api().create(Stock.one(pid, "red", "36", 0));

    JsonNode listed =
        admin
            .get("/admin/merchants")
            .json()
            .get("merchants")
            .valueStream()
            .filter(m -> m.get("merchantId").asInt() == merchant.id())
            .findFirst()
            .orElseThrow();

    assertThat(listed.get("storeUrl").asString()).isEqualTo(merchant.storeUrl());
    assertThat(listed.get("products").asInt()).isEqualTo(3);
    assertThat(listed.get("productsWithStock").asInt()).isEqualTo(1);
  }

  @Test
  void showsASecretAndATokenOnce() {
    TestMerchant merchant = TestMerchant.fresh();
    Api api = merchant.api();

    String applications = admin.get("/admin/applications").body();
    String tokens = admin.get("/admin/tokens?merchant=" + merchant.id()).body();

    assertThat(applications).contains(api.appid()).doesNotContain(api.secret());
    assertThat(tokens)
        .contains(api.appid(), api.accesstoken().substring(0, 12))
        .doesNotContain(api.accesstoken());
  }

  @Test
  void makesSecretsAndTokensOf256Bits() {
    Api api = TestMerchant.fresh().api();

    assertThat(api.secret()).matches("[A-Za-z0-9_-]{43}");
    assertThat(api.accesstoken()).matches("srt_[A-Za-z0-9_-]{43}");
    assertThat(TestMerchant.fresh().api().secret()).isNotEqualTo(api.secret());
  }

  @Test
  void issuesATokenWithAllFields() {
    TestMerchant merchant = TestMerchant.fresh();
    Reply reply =
        admin.post(
            "/admin/tokens",
            """
            {"appid":"%s","merchantId":%d,"boundStore":"shop","scopes":["stock:read"],"expires":"P90D"}"""
                .formatted(merchant.api().appid(), merchant.id()));

    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.json().get("boundStore").asString()).isEqualTo("shop");
    assertThat(reply.json().get("scopes").toString()).isEqualTo("[\"stock:read\"]");
    assertThat(reply.json().get("expiresAt").asString()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'\"expires\":\"PT0S\"', expires",
    "'\"expires\":\"-P1D\"', expires",
    "'\"expires\":\"soon\"', expires",
    "'\"expires\":\"P101Y\"', expires",
    "'\"scopes\":[\"stock:read\",\"all\"]', scopes[1]",
    "'\"scopes\":\"stock:read\"', scopes",
    "'\"scopes\":7', scopes",
    "'\"scopes\":[7]', scopes[0]",
    "'\"boundStore\":5', boundStore",
    "'\"boundStore\":\"a\\u0000\"', boundStore"
  })
  void rejectsATokenWithABadField(String field, String at) {
    TestMerchant merchant = TestMerchant.fresh();
    Reply reply =
        admin.post(
            "/admin/tokens",
            "{\"appid\":\"%s\",\"merchantId\":%d,%s}"
                .formatted(merchant.api().appid(), merchant.id(), field));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.places()).containsExactly(at);
  }

  @Test
  void rejectsATokenForAnUnknownMerchantOrApplication() {
    TestMerchant merchant = TestMerchant.fresh();

    Reply unknownMerchant =
        admin.post(
            "/admin/tokens",
            "{\"appid\":\"%s\",\"merchantId\":2147483647}".formatted(merchant.api().appid()));
    Reply unknownApplication =
        admin.post(
            "/admin/tokens", "{\"appid\":\"nobody\",\"merchantId\":%d}".formatted(merchant.id()));

    assertThat(unknownMerchant.status()).isEqualTo(404);
    assertThat(unknownMerchant.codes()).containsExactly("MERCHANT_MISSING");
    assertThat(unknownApplication.status()).isEqualTo(404);
    assertThat(unknownApplication.codes()).containsExactly("APPLICATION_MISSING");
  }

  @Test
  void revokesByTheWholeTokenOrItsPrefix() {
    TestMerchant merchant = TestMerchant.fresh();
    String token = merchant.api().accesstoken();

    assertThat(revoke("srt_").status()).isEqualTo(409);
    assertThat(revoke("srt_nothing-like-this").status()).isEqualTo(404);
    assertThat(revoke("").status()).isEqualTo(400);
    Reply revoked = revoke(token.substring(0, 12));
    assertThat(revoked.status()).isEqualTo(200);
    String at = revoked.json().get("revokedAt").asString();
    assertThat(revoke(token).json().get("revokedAt").asString()).isEqualTo(at);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "[]",
        "null",
        "{",
        "{} {}",
        "{\"name\":\"a\",\"name\":\"a\"}",
        "{}",
        "{\"name\":null}",
        "{\"name\":5}",
        "{\"name\":\"\"}",
        "{\"name\":{}}",
        "{\"name\":\"a\\u0000\"}",
        "{\"name\":\"\\uD800\"}",
        "{\"appid\":{},\"merchantId\":{},\"token\":{},\"scopes\":[{}]}",
        "{\"appid\":\"a\",\"merchantId\":[1],\"scopes\":[[]]}",
        "{\"appid\":\"a\",\"merchantId\":1,\"scopes\":{\"a\":{}}}",
        "{\"appid\":\"a\",\"merchantId\":1,\"scopes\":7}",
        "{\"appid\":\"a\\u0000\",\"merchantId\":1,\"token\":\"a\\u0000\"}",
        "{\"appid\":\"\\uD800\",\"merchantId\":1,\"token\":\"\\uD800\"}"
      })
  void aBadBodyIsNeverA5xx(String body) {
    for (String path :
        new String[] {
          "/admin/merchants", "/admin/applications", "/admin/tokens", "/admin/tokens/revoke"
        }) {
      Reply reply = admin.post(path, body);
      assertThat(reply.status()).as(path + " " + reply.body()).isBetween(400, 499);
      assertThat(reply.success()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/admin/tokens?merchant=x",
        "/admin/tokens?merchant=0",
        "/admin/merchants/x/imports",
        "/admin/merchants/0/imports",
        "/admin/merchants/99999999999/imports"
      })
  void rejectsABadNumberInAPath(String path) {
    Reply reply = path.contains("?") ? admin.get(path) : admin.post(path, "");

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.places()).containsExactly("merchant");
  }

  @Test
  void anInvalidFilterIsNeverA5xx() {
    assertThat(admin.get("/admin/tokens?app=%00").status()).isLessThan(500);
    assertThat(admin.get("/admin/tokens?app=nobody").body()).isEqualTo("{\"tokens\":[]}");
  }

  @Test
  void servesHealthAndMetricsOnlyOnTheAdminPort() {
    assertThat(health("/health/live").status()).isEqualTo(200);
    assertThat(health("/health/ready").body()).contains("\"status\":\"UP\"");
    assertThat(health("/metrics").body()).contains("jvm_memory_used_bytes");
    assertThat(health("/env").status()).isEqualTo(404);
  }

  private Reply health(String path) {
    return Http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.adminPort() + path)));
  }

  private Reply revoke(String token) {
    return admin.post("/admin/tokens/revoke", "{\"token\":\"" + token + "\"}");
  }
}
