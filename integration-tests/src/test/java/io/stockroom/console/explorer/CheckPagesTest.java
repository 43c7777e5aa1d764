package io.stockroom.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Signature;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CheckPagesTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Pages mine = Pages.of(TestPerson.of(merchant));
  private final Api api = merchant.api();
  private final String now = Long.toString(Instant.now().getEpochSecond());

  @Test
  void acceptsAValidRequest() {
    assertThat(check(api.sign(now), now, api.accesstoken()))
        .contains("No problems found")
        .doesNotContain("Not checked", api.secret());
  }

  @Test
  void recomputesTheSignatureWithTheNamedApplicationsSecret() {
    assertThat(check(Signature.sign(now, api.secret()), now, api.accesstoken()))
        .contains("1 problem found", "signed in the wrong order", "MD5(timestamp + secret)")
        .doesNotContain(api.secret());
  }

  @Test
  void knowsTheSecretsOfTheMerchantsOtherApplications() {
    Api other = merchant.application();

    assertThat(check(Signature.sign(other.secret(), now), now, api.accesstoken()))
        .contains("made with another secret", other.appid());
  }

  @Test
  void acceptsEitherSecretOfARotation() {
    Pages.of(TestPerson.operator())
        .post("/console/applications/" + api.appid() + "/rotate", "grace", "1");

    assertThat(check(api.sign(now), now, api.accesstoken())).contains("No problems found");
    assertThat(check(Signature.sign("x", now), now, api.accesstoken()))
        .contains("no common mistake explains it");
  }

  @Test
  void showsWhatTheServerKnowsAboutTheToken() {
    Api expired = merchant.token("\"scopes\":[\"product:read\"]");
    TestMerchant other = TestMerchant.fresh();

    assertThat(check(api.sign(now), now, expired.accesstoken())).contains("does not allow this");
    assertThat(check(api.sign(now), now, other.api().accesstoken()))
        .as("another merchant's token looks unknown")
        .contains("does not know this access token");
    Admin.of(TestServer.shared())
        .post("/admin/merchants/%d/suspend".formatted(merchant.id()), "{\"reason\":\"unpaid\"}");
    assertThat(check(api.sign(now), now, api.accesstoken())).contains("suspended the merchant");
  }

  @Test
  void reportsWhatItCouldNotCheckForAnUnknownApplication() {
    Api stranger = TestMerchant.fresh().api();
    String request = request(stranger.appid(), stranger.sign(now), now, stranger.accesstoken());

    assertThat(mine.post("/console/explorer/check", "text", request).body())
        .contains("no secret was given");
    assertThat(
            mine.post("/console/explorer/check", "text", request, "app", stranger.appid()).body())
        .contains("no secret was given");
  }

  @Test
  void rejectsTextThatIsNoRequestAndKeepsIt() {
    HttpResponse<String> refused = mine.post("/console/explorer/check", "text", "<b>hello</b>");

    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body())
        .contains("Paste a curl command", "&lt;b&gt;hello&lt;/b&gt;</textarea>");
  }

  private String check(String sign, String timestamp, String token) {
    String request = request(api.appid(), sign, timestamp, token);
    return mine.post("/console/explorer/check", "text", request).body();
  }

  private static String request(String appid, String sign, String timestamp, String token) {
    return """
        POST /Stock/List HTTP/1.1
        appid: %s
        sign: %s
        timestamp: %s
        accesstoken: %s
        Content-Type: application/x-www-form-urlencoded

        productid=1
        """
        .formatted(appid, sign, timestamp, token);
  }
}
