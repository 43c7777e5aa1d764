package io.stockroom.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.stockroom.protocol.Signature;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SendTest {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String STOCK =
      "[{\"color\":\"红\",\"pid\":%d,\"param\":[{\"size\":\"36\",\"stock\":1}]}]";

  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);
  private final Pages mine = Pages.of(person);
  private final String appid = merchant.api().appid();

  @Test
  void signsWithTheStoredSecretAndShowsNoSecretTokenOrSignature() {
    HttpResponse<String> sent = send("/Stock/Product", "body", "page=1");

    JsonNode result = json(sent);
    assertThat(result.get("status").asInt()).isEqualTo(200);
    assertThat(result.get("body").asString()).startsWith("{\"success\":true,\"totalPages\":0");
    assertThat(result.at("/headers/x-request-id").asString()).isNotEmpty();
    assertThat(result.at("/request/sign").asString()).hasSize(5).endsWith("…");
    assertThat(result.at("/request/sign-method").asString()).isEqualTo("hmac-sha256");
    assertThat(sent.body()).doesNotContain(merchant.api().secret());
    assertThat(result.at("/request/accesstoken").asString()).hasSize(13).endsWith("…");
  }

  @Test
  void ownCallsAreNotTakenForThoseOfAProxy() {
    TestServer server = TestServer.with(Map.of("page-size", "8"));
    TestMerchant merchant = TestMerchant.on(server);
    Pages operator = Pages.of(TestPerson.operator(server));

    HttpResponse<String> sent =
        Pages.of(TestPerson.of(merchant))
            .post("/console/explorer/send", "path", "/Usage", "app", merchant.api().appid());

    assertThat(json(sent).get("status").asInt()).isEqualTo(200);
    assertThat(operator.get("/console/health").body()).doesNotContain("trusted-proxies");
    Pages.on(server).with("X-Forwarded-For", "203.0.113.7").get("/console/sign-in");
    assertThat(operator.get("/console/health").body()).contains("trusted-proxies");
  }

  /** An MD5 signature is valid for any call with its timestamp, also for other merchants. */
  @Test
  void alwaysSignsTheCurrentTimeWithHmac() {
    String tomorrow = Long.toString(Instant.now().plus(Duration.ofDays(1)).getEpochSecond());

    HttpResponse<String> sent = send("/Usage", "timestamp", tomorrow, "method", "md5");

    JsonNode result = json(sent);
    assertThat(result.get("status").asInt()).isEqualTo(200);
    assertThat(result.at("/request/sign-method").asString()).isEqualTo("hmac-sha256");
    long timestamp = Long.parseLong(result.at("/request/timestamp").asString());
    assertThat(Instant.ofEpochSecond(timestamp))
        .isCloseTo(Instant.now(), within(Duration.ofMinutes(2)));
    for (String time : List.of(tomorrow, Long.toString(timestamp))) {
      assertThat(sent.body().toUpperCase(Locale.ROOT))
          .doesNotContain(Signature.sign(merchant.api().secret(), time));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "merchant, /Stock/Product, 200",
    "merchant, /Stock/List, 200",
    "merchant, /Stock/Creat, 200",
    "merchant, /Stock/Adjust, 200",
    "merchant, /Product/Detail, 200",
    "merchant, /Product/Publish, 200",
    "merchant, /Usage, 200",
    "developer, /Stock/Product, 200",
    "developer, /Stock/List, 200",
    "developer, /Stock/Creat, 403",
    "developer, /Stock/Adjust, 403",
    "developer, /Product/Detail, 200",
    "developer, /Product/Publish, 403",
    "developer, /Usage, 200",
    "operator, /Stock/Product, 200",
    "operator, /Stock/List, 200",
    "operator, /Stock/Creat, 403",
    "operator, /Stock/Adjust, 403",
    "operator, /Product/Detail, 200",
    "operator, /Product/Publish, 403",
    "operator, /Usage, 200"
  })
  void aRoleHasTheSameRightsAsInTheConsole(String role, String path, int status) {
    int product = merchant.product();
    String body =
        switch (path) {
          case "/Stock/Creat" -> STOCK.formatted(product);
          case "/Stock/Adjust" -> "[{\"barCode\":\"690\",\"change\":1}]";
          case "/Product/Publish" -> "[{\"pid\":%d,\"result\":\"published\"}]".formatted(product);
          case "/Stock/List" -> "productid=" + product;
          case "/Product/Detail" -> "pid=" + product;
          default -> "page=1";
        };
    String type = body.startsWith("[") ? "application/json" : "";
    Pages pages =
        Pages.of(
            role.equals("operator")
                ? TestPerson.operator()
                : TestPerson.with(
                    "\"merchantId\":%d,\"roles\":[\"%s\"]".formatted(merchant.id(), role)));

    HttpResponse<String> sent =
        pages.post(
            "/console/explorer/send",
            "path",
            path.toLowerCase(Locale.ROOT),
            "app",
            appid,
            "merchant",
            Integer.toString(merchant.id()),
            "type",
            type,
            "body",
            body);

    assertThat(sent.statusCode()).isEqualTo(status);
    assertThat(merchant.entries()).isEqualTo(path.equals("/Stock/Creat") && status == 200 ? 1 : 0);
    if (status == 200) {
      assertThat(json(sent).get("status").asInt()).as(sent.body()).isEqualTo(200);
    } else {
      assertThat(sent.body()).contains("requires the merchant role");
      assertThat(merchant.inDirectory("select scopes from access_token where merchant_id = ?"))
          .as("no token was issued for it")
          .hasSize(1);
    }
  }

  /** A leaked token must not grant more than the person's roles. */
  @Test
  void theTokenOfADeveloperCannotWrite() {
    Pages developer =
        Pages.of(
            TestPerson.with(
                "\"merchantId\":%d,\"roles\":[\"developer\"]".formatted(merchant.id())));

    developer.post("/console/explorer/send", "path", "/Usage", "app", appid);

    assertThat(
            merchant.inDirectory(
                "select scopes from access_token where merchant_id = ? and expires_at is not null"))
        .containsExactly("{product:read,stock:read,detail:read,changes:read}");
  }

  @Test
  void makesOneTokenForAnHourInThePersonsName() {
    send("/Usage");
    send("/Usage");

    assertThat(
            merchant.inDirectory(
                """
                select (expires_at - created_at) between '59 minutes' and '61 minutes'
                from access_token where merchant_id = ? and expires_at is not null
                """))
        .containsExactly("t");
    assertThat(
            merchant.texts(
                "select actor from audit where merchant_id = ? and action = 'token.issue'"))
        .contains("person " + person.email());
  }

  @Test
  void issuesANewTokenAfterARevocation() {
    String prefix = json(send("/Usage")).at("/request/accesstoken").asString().replace("…", "");
    mine.post(
        "/console/applications/%s/tokens/%d/%s/revoke".formatted(appid, merchant.id(), prefix));

    List<Integer> statuses =
        List.of(json(send("/Usage")), json(send("/Usage"))).stream()
            .map(result -> result.get("status").asInt())
            .toList();

    assertThat(statuses.getLast()).isEqualTo(200);
  }

  @Test
  void sendsNoCallThatWaitsLongerThanFiveSeconds() {
    assertThat(send("/Changes", "body", "limit=1&wait=6").statusCode()).isEqualTo(422);
    HttpResponse<String> encoded = send("/Changes", "query", "w%61it=25");
    assertThat(encoded.statusCode()).isEqualTo(422);
    assertThat(encoded.body()).contains("waits at most 5 seconds");

    merchant.api().create(Stock.one(merchant.product(), "red", "36", 1));
    JsonNode changes = json(send("/Changes", "body", "limit=1&wait=5"));
    assertThat(changes.get("status").asInt()).isEqualTo(200);
    JsonNode invalid = json(send("/Changes", "body", "wait=26"));
    assertThat(invalid.get("status").asInt()).isEqualTo(400);
  }

  @Test
  void appliesTheSameLimitsAsToEveryCall() {
    int product = merchant.product();

    send("/Product/Detail", "body", "pid=" + product);

    assertThat(merchant.texts("select used from detail_usage where merchant_id = ?"))
        .containsExactly("1");
  }

  @Test
  void sendsJson() {
    String body = STOCK.formatted(merchant.product());

    JsonNode result = json(send("/Stock/Creat", "type", "application/json", "body", body));

    assertThat(result.get("body").asString()).isEqualTo("{\"success\":true,\"msg\":\"\"}");
    assertThat(merchant.entries()).isEqualTo(1);
  }

  @Test
  void rejectsForeignApplicationsAndUnknownPaths() {
    String foreign = TestMerchant.fresh().api().appid();

    assertThat(mine.post("/console/explorer/send", "path", "/Usage", "app", foreign).statusCode())
        .isEqualTo(404);
    assertThat(send("/admin/merchants").statusCode()).isEqualTo(404);
    assertThat(send("/console/account").statusCode()).isEqualTo(404);
  }

  @Test
  void anOperatorNamesTheMerchant() {
    Pages operator = Pages.of(TestPerson.operator());
    String[] form = {"path", "/Usage", "app", appid, "merchant", "0"};

    HttpResponse<String> refused = operator.post("/console/explorer/send", form);
    form[5] = Integer.toString(merchant.id());
    HttpResponse<String> sent = operator.post("/console/explorer/send", form);

    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains("Choose the merchant");
    assertThat(json(sent).get("status").asInt()).isEqualTo(200);
  }

  @Test
  void offersTheProductsOfThePersonsMerchantOnly() {
    int product = merchant.product();
    int foreign = TestMerchant.fresh().product();

    String offered = mine.get("/console/explorer/products?q=A1&merchant=1").body();

    assertThat(offered).contains("value=\"%d\"".formatted(product));
    assertThat(offered).doesNotContain("value=\"%d\"".formatted(foreign));
  }

  @Test
  void reportsAnExpiredLoggedRequest() {
    assertThat(mine.get("/console/explorer?request=nothing").body()).contains("no longer stored");
    assertThat(mine.get("/console/explorer?call=stock-create").body())
        .containsPattern("value=\"stock-create\"[^>]*selected");
  }

  private HttpResponse<String> send(String path, String... fields) {
    String[] all = new String[fields.length + 4];
    all[0] = "path";
    all[1] = path;
    all[2] = "app";
    all[3] = appid;
    System.arraycopy(fields, 0, all, 4, fields.length);
    return mine.post("/console/explorer/send", all);
  }

  private static JsonNode json(HttpResponse<String> sent) {
    assertThat(sent.statusCode()).as(sent.body()).isEqualTo(200);
    return MAPPER.readTree(sent.body());
  }
}
