package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperatorCommandsTest {
  private AnsweringServer server;

  @BeforeEach
  void start() throws IOException {
    server = new AnsweringServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void createsAMerchant() {
    server.on(
        "POST",
        "/admin/merchants",
        201,
        """
        {"merchantId":7,"name":"义乌鞋业","storeUrl":"yiwu","storeName":"Yiwu Shoes","createdAt":"2026-01-02T03:04:05Z"}\
        """);

    Program.Run run =
        Program.operating(server)
            .run(
                "merchant",
                "create",
                "--name",
                "义乌鞋业",
                "--store-url",
                "yiwu",
                "--store-name=Yiwu Shoes");

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo(
            """
            merchant:      7
            name:          义乌鞋业
            store URL:     yiwu
            store name:    Yiwu Shoes
            status:        active
            created:       2026-01-02T03:04:05Z
            """);
    assertThat(server.last().method()).isEqualTo("POST");
    assertThat(server.last().path()).isEqualTo("/admin/merchants");
    assertThat(server.last().header("Authorization")).isEqualTo("Bearer the-key");
    assertThat(server.last().header("Content-Type")).isEqualTo("application/json");
    assertThat(server.last().body())
        .isEqualTo("{\"name\":\"义乌鞋业\",\"storeUrl\":\"yiwu\",\"storeName\":\"Yiwu Shoes\"}");
  }

  @Test
  void jsonPrintsOneObject() {
    server.on("POST", "/admin/merchants", 201, "{\n  \"merchantId\" : 7, \"future\": [1.50]\n}");

    Program.Run run =
        Program.operating(server)
            .run("merchant", "create", "--name=a", "--store-url=b", "--store-name=c", "--json");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo("{\"merchantId\":7,\"future\":[1.50]}\n");
  }

  @Test
  void listsMerchantsInColumnsAlignedForChineseNames() {
    server.on(
        "GET",
        "/admin/merchants",
        200,
        """
        {"merchants":[
        {"merchantId":1,"name":"义乌","storeUrl":"yiwu","storeName":"S","status":"active","createdAt":"2026-01-02T03:04:05Z","products":12,"productsWithStock":3},
        {"merchantId":20,"name":"Puning","storeUrl":"p","storeName":"普宁","status":"suspended","createdAt":"2026-01-03T03:04:05Z","products":7,"productsWithStock":0}]}
        """);

    Program.Run run = Program.operating(server).run("merchant", "list");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            ID  NAME    STORE URL  STORE NAME  STATUS     PRODUCTS  WITH STOCK  CREATED
             1  义乌    yiwu       S           active           12           3  2026-01-02T03:04:05Z
            20  Puning  p          普宁        suspended         7           0  2026-01-03T03:04:05Z
            """);
  }

  @Test
  void printsTheFirstStepWhenAListIsEmpty() {
    server.on("GET", "/admin/merchants", 200, "{\"merchants\":[]}");
    server.on("GET", "/admin/applications", 200, "{\"applications\":[]}");
    server.on("GET", "/admin/tokens", 200, "{\"tokens\":[]}");

    assertThat(Program.operating(server).run("merchant", "list").out())
        .contains("stockroom merchant create");
    assertThat(Program.operating(server).run("app", "list").out()).contains("stockroom app create");
    assertThat(Program.operating(server).run("token", "list").out())
        .contains("stockroom token issue");
    assertThat(Program.operating(server).run("token", "list", "--app", "x").out())
        .isEqualTo("No token matches.\n");
  }

  @Test
  void createsAnApplicationAndShowsItsSecretOnce() {
    server.on(
        "POST",
        "/admin/applications",
        201,
        "{\"appid\":\"a1\",\"secret\":\"s3cret\",\"name\":\"Sync\",\"createdAt\":\"2026-01-02T03:04:05Z\"}");

    Program.Run run = Program.operating(server).run("app", "create", "--name", "Sync");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("(?m)^appid: +a1$")
        .containsPattern("(?m)^secret: +s3cret$")
        .contains("This is the only time the secret is shown");
    assertThat(server.last().body()).isEqualTo("{\"name\":\"Sync\"}");
  }

  @Test
  void listsApplications() {
    server.on(
        "GET",
        "/admin/applications",
        200,
        """
        {"applications":[
        {"appid":"a1","name":"Sync","createdAt":"2026-01-02T03:04:05Z","requireHmac":false,"addresses":[],"previousSecretUntil":null},
        {"appid":"a2","name":"ERP","createdAt":"2026-01-03T03:04:05Z","requireHmac":true,"addresses":["10.0.0.0/8","::1/128"],"previousSecretUntil":"2026-02-02T03:04:05Z"}]}
        """);

    assertThat(Program.operating(server).run("app", "list").out())
        .isEqualTo(
            """
            APPID  NAME  STATE   SIGNATURES        ADDRESSES           OLD SECRET                  CREATED
            a1     Sync  active  md5, hmac-sha256  any                 -                           2026-01-02T03:04:05Z
            a2     ERP   active  hmac-sha256       10.0.0.0/8,::1/128  until 2026-02-02T03:04:05Z  2026-01-03T03:04:05Z
            """);
  }

  @Test
  void issuesATokenWithMinimalOptions() {
    server.on("POST", "/admin/tokens", 201, token());

    Program.Run run =
        Program.operating(server).run("token", "issue", "--app", "a1", "--merchant", "7");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("(?m)^access token: +st_abc_whole$")
        .containsPattern("(?m)^bound store: +-$")
        .containsPattern("(?m)^scopes: +stock,product$")
        .contains("This is the only time the token is shown");
    assertThat(server.last().body()).isEqualTo("{\"appid\":\"a1\",\"merchantId\":7}");
  }

  @Test
  void issuesATokenWithAllOptions() {
    server.on("POST", "/admin/tokens", 201, token());

    Program.operating(server)
        .run(
            "token",
            "issue",
            "--app=a1",
            "--merchant=7",
            "--bound-store=Shop 7",
            "--expires=P90D",
            "--scope=stock",
            "--scope=product");

    assertThat(server.last().body())
        .isEqualTo(
            "{\"appid\":\"a1\",\"merchantId\":7,\"boundStore\":\"Shop 7\",\"expires\":\"P90D\","
                + "\"scopes\":[\"stock\",\"product\"]}");
  }

  @Test
  void saysThatATokenWithoutChosenScopesAllowsEverything() {
    server.on("POST", "/admin/tokens", 201, token());
    Program program = Program.operating(server);

    assertThat(program.run("token", "issue", "--app=a1", "--merchant=7").out())
        .contains("It allows every call, because no --scope was given.");
    assertThat(
            program.run("token", "issue", "--app=a1", "--merchant=7", "--scope=stock:read").out())
        .doesNotContain("every call");
  }

  @ParameterizedTest
  @ValueSource(strings = {"P1D", "p3m", "PT1S", "P1DT12H"})
  void acceptsPeriodsAndDurations(String expires) {
    server.on("POST", "/admin/tokens", 201, token());

    assertThat(
            Program.operating(server)
                .run("token", "issue", "--app=a", "--merchant=1", "--expires", expires)
                .exitCode())
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"90", "P", "P0D", "PT0S", "P-1D", "90d", ""})
  void rejectsInvalidExpiries(String expires) {
    Program.Run run =
        Program.operating(server)
            .run("token", "issue", "--app=a", "--merchant=1", "--expires=" + expires);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("write P90D for 90 days");
    assertThat(server.received()).isEmpty();
  }

  @Test
  void listsTheTokensToReviewAfterARestore() {
    server.on(
        "GET",
        "/admin/tokens",
        200,
        """
        {"tokens":[
        {"prefix":"st_a","appid":"a1","merchantId":7,"boundStore":null,"scopes":["stock"],\
        "createdAt":"2026-01-02T03:04:05Z","lastUsedAt":null,"expiresAt":null,"revokedAt":null,\
        "restoredAt":"2026-02-02T03:04:05Z"}]}\
        """);

    Program.Run run = Program.operating(server).run("token", "list", "--review");

    assertThat(server.last().path()).isEqualTo("/admin/tokens?review=true");
    assertThat(run.out()).contains("active, restored, not reviewed");
  }

  @Test
  void confirmsRestoredTokens() {
    server.on("POST", "/admin/tokens/review", 200, "{\"prefix\":\"st_a\",\"restoredAt\":null}");
    assertThat(Program.operating(server).run("token", "review", "st_a").out())
        .containsPattern("(?m)^reviewed: +st_a$");
    assertThat(server.last().body()).isEqualTo("{\"token\":\"st_a\"}");

    server.on("POST", "/admin/tokens/review", 200, "{\"reviewed\":3}");
    assertThat(Program.operating(server).run("token", "review", "--all", "--merchant=7").out())
        .containsPattern("(?m)^reviewed: +3$");
    assertThat(server.last().body()).isEqualTo("{\"all\":true,\"merchantId\":7}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "st_a --all", "st_a --merchant=7", "--merchant=7"})
  void reviewsOneTokenOrAllOfThem(String arguments) {
    Program.Run run =
        Program.operating(server).run(("token review " + arguments).strip().split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("Pass one TOKEN or --all");
    assertThat(server.received()).isEmpty();
  }

  @Test
  void listsTokensOfAMerchantAndAnApplication() {
    server.on(
        "GET",
        "/admin/tokens",
        200,
        """
        {"tokens":[
        {"prefix":"st_a","appid":"a1","merchantId":7,"boundStore":null,"scopes":["stock"],\
        "createdAt":"2026-01-02T03:04:05Z","lastUsedAt":null,"expiresAt":null,"revokedAt":null},
        {"prefix":"st_b","appid":"a1","merchantId":7,"boundStore":"S","scopes":["stock"],\
        "createdAt":"2026-01-02T03:04:05Z","lastUsedAt":"2026-01-03T03:04:05Z",\
        "expiresAt":"9999-01-01T00:00:00Z","revokedAt":null},
        {"prefix":"st_c","appid":"a1","merchantId":7,"boundStore":null,"scopes":["stock"],\
        "createdAt":"2020-01-02T03:04:05Z","lastUsedAt":null,\
        "expiresAt":"2020-01-03T00:00:00Z","revokedAt":null},
        {"prefix":"st_d","appid":"a1","merchantId":7,"boundStore":null,"scopes":["stock"],\
        "createdAt":"2020-01-02T03:04:05Z","lastUsedAt":null,\
        "expiresAt":"2020-01-03T00:00:00Z","revokedAt":"2020-01-02T04:04:05Z"}]}
        """);

    Program.Run run =
        Program.operating(server).run("token", "list", "--merchant", "7", "--app", "a&1");

    assertThat(server.last().path()).isEqualTo("/admin/tokens?merchant=7&app=a%261");
    assertThat(run.out())
        .isEqualTo(
            """
            PREFIX  APPID  MERCHANT  BOUND STORE  SCOPES  CREATED               LAST USED             EXPIRES               STATE
            st_a    a1            7  -            stock   2026-01-02T03:04:05Z  never                 -                     active
            st_b    a1            7  S            stock   2026-01-02T03:04:05Z  2026-01-03T03:04:05Z  9999-01-01T00:00:00Z  active
            st_c    a1            7  -            stock   2020-01-02T03:04:05Z  never                 2020-01-03T00:00:00Z  expired
            st_d    a1            7  -            stock   2020-01-02T03:04:05Z  never                 2020-01-03T00:00:00Z  revoked
            """);
  }

  @Test
  void revokesAToken() {
    server.on(
        "POST",
        "/admin/tokens/revoke",
        200,
        "{\"prefix\":\"st_abc\",\"revokedAt\":\"2026-01-02T03:04:05Z\"}");

    Program.Run run = Program.operating(server).run("token", "revoke", "st_abc");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).containsPattern("(?m)^revoked: +2026-01-02T03:04:05Z$");
    assertThat(server.last().body()).isEqualTo("{\"token\":\"st_abc\"}");
  }

  private static String token() {
    return """
    {"accesstoken":"st_abc_whole","prefix":"st_abc","appid":"a1","merchantId":7,"boundStore":null,\
    "scopes":["stock","product"],"expiresAt":null}
    """;
  }
}
