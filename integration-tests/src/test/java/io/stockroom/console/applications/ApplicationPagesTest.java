package io.stockroom.console.applications;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ApplicationPagesTest {
  private static final Pattern VALUE =
      Pattern.compile("id=\"once-value\" class=\"secret\">([^<]+)<");
  private static final Pattern APPID = Pattern.compile("id=\"once-appid\">([^<]+)<");

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Pages operator = Pages.of(TestPerson.operator());
  private final Pages mine = Pages.of(TestPerson.of(merchant));

  @Test
  void anOperatorCreatesAnApplicationWhoseSecretIsShownOnce() {
    HttpResponse<String> created = operator.post("/console/applications", "name", "Warehouse");

    assertThat(created.statusCode()).isEqualTo(200);
    String appid = found(APPID, created);
    String secret = found(VALUE, created);
    assertThat(operator.get("/console/applications").body()).contains(appid, "Warehouse");
    assertThat(operator.get("/console/applications/" + appid).body())
        .contains("Warehouse")
        .doesNotContain(secret);
    assertThat(merchant.tokenOf(appid, secret).products("page=1").status()).isEqualTo(200);
  }

  @Test
  void showsAHundredApplicationsAPageAndTheNewestFirst() {
    for (int i = 0; i <= 100; i++) {
      operator.post("/console/applications", "name", "Paged " + i);
    }

    assertThat(operator.get("/console/applications").body())
        .contains(">Paged 100<", ">Paged 1<")
        .doesNotContain(">Paged 0<");
    assertThat(operator.get("/console/applications?page=2").body())
        .contains(">Paged 0<")
        .doesNotContain(">Paged 1<");
  }

  @Test
  void rejectsAnApplicationWithoutANameAndKeepsTheForm() {
    HttpResponse<String> refused = operator.post("/console/applications", "name", "x".repeat(101));

    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains("name of 1 to 100", "x".repeat(101));
    assertThat(operator.post("/console/applications", "name", " ").statusCode()).isEqualTo(422);
    assertThat(operator.post("/console/applications", "name", "x".repeat(100)).statusCode())
        .isEqualTo(200);
  }

  @Test
  void bothSecretsWorkUntilTheFormerOneIsEnded() {
    Api former = merchant.api();
    String address = "/console/applications/" + former.appid();
    assertThat(operator.get(address + "/rotate").body()).contains("for 7 days");

    String secret = found(VALUE, operator.post(address + "/rotate", "grace", "7"));

    assertThat(former.products("page=1").status()).isEqualTo(200);
    assertThat(former.withSecret(secret).products("page=1").status()).isEqualTo(200);
    assertThat(operator.get(address).body()).contains("Two active secrets");
    assertThat(operator.post(address + "/end-former").statusCode()).isEqualTo(302);
    assertRefused(former, "CREDENTIALS_WRONG");
    assertThat(former.withSecret(secret).products("page=1").status()).isEqualTo(200);
    assertThat(operator.get(address).body()).doesNotContain("Two active secrets");
    assertThat(operator.post(address + "/rotate", "grace", "8").statusCode()).isEqualTo(404);
  }

  @Test
  void stopsAnApplicationForEveryMerchantAndResumesIt() {
    Api api = merchant.api();
    TestMerchant second = TestMerchant.fresh();
    Api other = second.tokenOf(api.appid(), api.secret());
    String address = "/console/applications/" + api.appid();
    assertThat(other.products("page=1").status()).isEqualTo(200);

    assertThat(operator.get(address + "/stop").body()).contains("Disable Listing tool?");
    assertThat(operator.post(address + "/stop").statusCode()).isEqualTo(302);

    assertRefused(api, "APPLICATION_STOPPED");
    assertRefused(other, "APPLICATION_STOPPED");
    assertThat(operator.get(address + "?done=stopped").body())
        .contains("Application disabled.", address + "/resume")
        .doesNotContain(address + "/stop", address + "/tokens/new");
    assertThat(operator.get("/console/applications").body()).contains("■ Disabled");
    assertThat(mine.get(address).body()).contains("An operator disabled this application");

    assertThat(operator.post(address + "/resume").statusCode()).isEqualTo(302);

    assertWorks(api);
    assertWorks(other);
    assertThat(operator.get(address).body()).contains(address + "/stop", address + "/tokens/new");
    assertThat(
            merchant.texts(
                "select action from audit where merchant_id = 0 and subject = '%s' order by number"
                    .formatted(api.appid())))
        .endsWith("application.stop", "application.resume");
  }

  @Test
  void aStoppedApplicationGetsNoTokenAndMakesNoCallFromTheExplorer() {
    String appid = merchant.api().appid();
    String address = "/console/applications/" + appid;
    String token = address + "/tokens/%d/%s".formatted(merchant.id(), prefix());
    String[] form = {"scope", "stock:read", "expires", "1d"};
    // the explorer has a cached token
    assertThat(explore(appid).statusCode()).isEqualTo(200);
    operator.post(address + "/stop");

    for (Pages pages : List.of(mine, operator)) {
      assertThat(pages.get(address + "/tokens/new").statusCode()).isEqualTo(409);
      assertThat(pages.post(address + "/tokens", form).statusCode()).isEqualTo(409);
      assertThat(pages.post(token + "/rotate", "grace", "0").statusCode()).isEqualTo(409);
    }
    HttpResponse<String> explored = explore(appid);
    assertThat(explored.statusCode()).isEqualTo(409);
    assertThat(explored.body()).contains("until an operator enables it again");
    assertThat(mine.get("/console/explorer").body()).doesNotContain("value=\"" + appid + "\"");
    assertThat(
            mine.post("/console/explorer/check", "text", "POST /Usage HTTP/1.1", "app", appid)
                .body())
        .contains("until an operator enables it again");
    assertThat(mine.post(token + "/revoke").statusCode()).as("it can be ended").isEqualTo(302);

    operator.post(address + "/resume");

    assertThat(mine.post(address + "/tokens", form).statusCode()).isEqualTo(200);
    assertThat(explore(appid).statusCode()).isEqualTo(200);
    assertThat(mine.get("/console/explorer").body()).contains("value=\"" + appid + "\"");
  }

  private HttpResponse<String> explore(String appid) {
    return mine.post("/console/explorer/send", "path", "/Usage", "app", appid);
  }

  private String prefix() {
    return merchant
        .inDirectory("select prefix from access_token where merchant_id = ? order by token_id")
        .getFirst();
  }

  @Test
  void aNewApplicationManagesWebhooksAndImportsWithHmacOnly() {
    operator.post("/console/applications", "name", "Guarded tool");

    assertThat(
            merchant.inDirectory(
                "select restrict_md5 || ' ' || require_hmac from application where name = 'Guarded tool'"))
        .containsExactly("true false");
  }

  @Test
  void changesTheRulesOfAnApplication() {
    String address = "/console/applications/" + merchant.api().appid();

    HttpResponse<String> refused = operator.post(address, "addresses", "10.0.0.0/8\nnowhere");
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains("nowhere", "One line is neither");
    operator.post(address, "require-hmac", "true", "addresses", "127.0.0.0/8\n\n10.0.0.1");

    assertThat(operator.get(address + "?done=changed").body())
        .contains("Saved.", "10.0.0.1", "checked");
    assertRefused(merchant.api(), "SIGN_METHOD_REQUIRED");
  }

  @Test
  void aMerchantSeesTheApplicationsThatActForItAndNoOther() {
    TestMerchant other = TestMerchant.fresh();
    String foreign = "/console/applications/" + other.api().appid();

    String list = mine.get("/console/applications").body();

    assertThat(list).contains(merchant.api().appid()).doesNotContain(other.api().appid());
    assertThat(mine.get("/console/applications/" + merchant.api().appid()).statusCode())
        .isEqualTo(200);
    HttpResponse<String> hidden = mine.get(foreign);
    assertThat(hidden.statusCode()).isEqualTo(404);
    assertThat(hidden.body().replace(other.api().appid(), "app_none"))
        .isEqualTo(mine.get("/console/applications/app_none").body());
    assertThat(mine.get(foreign + "/tokens/new").statusCode()).isEqualTo(404);
    assertThat(mine.post(foreign + "/tokens", "scope", "stock:read", "expires", "1d").statusCode())
        .isEqualTo(404);
  }

  @Test
  void onlyAnOperatorChangesApplications() {
    String address = "/console/applications/" + merchant.api().appid();

    assertThat(mine.post("/console/applications", "name", "Mine").statusCode()).isEqualTo(404);
    assertThat(mine.post(address, "addresses", "").statusCode()).isEqualTo(404);
    for (String action : new String[] {"rotate", "end-former", "stop", "resume"}) {
      assertThat(mine.get(address + "/" + action).statusCode()).as(action).isEqualTo(404);
      assertThat(mine.post(address + "/" + action, "grace", "0").statusCode()).isEqualTo(404);
    }
    assertThat(mine.get(address).body())
        .doesNotContain(address + "/rotate", "/stop", "Rotate secret");
    assertThat(merchant.api().products("page=1").status()).isEqualTo(200);
  }

  /** A server caches credentials for half a second. */
  private static void assertRefused(Api api, String code) {
    assertThat(
            Eventually.within(
                Duration.ofSeconds(2), () -> api.products("page=1").codes().contains(code)))
        .as(code)
        .isTrue();
  }

  private static void assertWorks(Api api) {
    assertThat(
            Eventually.within(Duration.ofSeconds(20), () -> api.products("page=1").status() == 200))
        .isTrue();
  }

  private static String found(Pattern pattern, HttpResponse<String> page) {
    Matcher matcher = pattern.matcher(page.body());
    assertThat(matcher.find()).as(page.body()).isTrue();
    return matcher.group(1);
  }
}
