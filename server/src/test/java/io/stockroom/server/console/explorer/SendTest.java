package io.stockroom.server.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Signature;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SendTest {
  private static final JsonMapper MAPPER = new JsonMapper();

  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);
  private final Pages mine = Pages.of(person);
  private final String appid = merchant.api().appid();

  @Test
  void signsWithTheStoredSecretAndShowsNeitherItNorTheToken() {
    HttpResponse<String> sent = send("/Stock/Product", "body", "page=1");

    JsonNode result = json(sent);
    assertThat(result.get("status").asInt()).isEqualTo(200);
    assertThat(result.get("body").asString()).startsWith("{\"success\":true,\"totalPages\":0");
    assertThat(result.at("/headers/x-request-id").asString()).isNotEmpty();
    String timestamp = result.at("/request/timestamp").asString();
    assertThat(result.at("/request/sign").asString())
        .isEqualTo(Signature.sign(merchant.api().secret(), timestamp));
    assertThat(sent.body()).doesNotContain(merchant.api().secret());
    assertThat(result.at("/request/accesstoken").asString()).hasSize(13).endsWith("…");
  }

  @Test
  void makesOneTokenForAnHourInThePersonsName() {
    send("/Usage");
    send("/Usage", "method", "hmac-sha256");

    assertThat(
            merchant.texts(
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
  void makesANewTokenWhereSomebodyRevokedTheFirst() {
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
  void goesThroughTheSameLimitsAsEveryCall() {
    int product = merchant.product();

    send("/Product/Detail", "body", "pid=" + product);

    assertThat(merchant.texts("select used from detail_account where merchant_id = ?"))
        .containsExactly("1");
  }

  @Test
  void sendsJsonAndHmac() {
    int product = merchant.product();
    String body =
        "[{\"color\":\"红\",\"pid\":%d,\"param\":[{\"size\":\"36\",\"stock\":1}]}]"
            .formatted(product);

    JsonNode result =
        json(
            send(
                "/Stock/Creat", "type", "application/json", "body", body, "method", "hmac-sha256"));

    assertThat(result.get("body").asString()).isEqualTo("{\"success\":true,\"msg\":\"\"}");
    assertThat(result.at("/request/sign-method").asString()).isEqualTo("hmac-sha256");
    assertThat(merchant.entries()).isEqualTo(1);
  }

  @Test
  void showsWhatAWrongTimeIsAnswered() {
    JsonNode result = json(send("/Usage", "timestamp", "1700000000"));

    assertThat(result.get("status").asInt()).isEqualTo(400);
    assertThat(result.get("body").asString()).contains("TIMESTAMP_WINDOW");
  }

  @Test
  void refusesApplicationsAndAddressesThatAreNotToBeCalled() {
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
  void saysThatARecordedRequestIsGone() {
    assertThat(mine.get("/console/explorer?request=nothing").body()).contains("not kept any more");
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
