package io.stockroom.console.applications;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.access.Credentials;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TokenPagesTest {
  private static final Pattern VALUE =
      Pattern.compile("id=\"once-value\" class=\"secret\">(srt_[^<]+)<");

  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);
  private final Pages mine = Pages.of(person);
  private final Api api = merchant.api();
  private final String address = "/console/applications/" + api.appid();

  @Test
  void issuesATokenThatIsShownOnceAndHasItsScopes() {
    HttpResponse<String> issued =
        mine.post(
            address + "/tokens", "scope", "product:read", "expires", "30d", "store", "Shop 7");

    String token = token(issued);
    assertThat(mine.get(address).body())
        .contains(Credentials.visible(token), "Shop 7")
        .doesNotContain(token);
    assertThat(api.withToken(token).products("page=1").status()).isEqualTo(200);
    assertThat(api.withToken(token).stock(1).codes()).containsExactly("SCOPE_MISSING");
    assertThat(merchant.texts("select actor from audit where merchant_id = ? order by number"))
        .endsWith("person " + person.email());
  }

  @Test
  void rejectsAnInvalidFormAndKeepsItsValues() {
    HttpResponse<String> nothing = mine.post(address + "/tokens", "expires", "30d", "store", "S7");
    HttpResponse<String> scope =
        mine.post(address + "/tokens", "scope", "everything", "expires", "30d");
    HttpResponse<String> period =
        mine.post(address + "/tokens", "scope", "stock:read", "expires", "99y");
    HttpResponse<String> store =
        mine.post(
            address + "/tokens", "scope", "stock:read", "expires", "1d", "store", "x".repeat(101));

    assertThat(nothing.statusCode()).isEqualTo(422);
    assertThat(nothing.body()).contains("at least one permission", "value=\"S7\"");
    assertThat(scope.statusCode()).isEqualTo(422);
    assertThat(period.body()).contains("Choose an expiration period");
    assertThat(store.body()).contains("at most 100 characters");
    assertThat(tokens()).isEqualTo(1);
  }

  @Test
  void rotatesATokenAndKeepsTheOldOneForTheGracePeriod() {
    Api limited = merchant.token("\"scopes\":[\"product:read\"],\"expires\":\"P30D\"");
    String former = Credentials.visible(limited.accesstoken());
    String path = address + "/tokens/" + merchant.id() + "/" + former + "/rotate";
    assertThat(mine.get(path).statusCode()).isEqualTo(200);

    Api fresh = api.withToken(token(mine.post(path, "grace", "1")));

    assertThat(fresh.products("page=1").status()).isEqualTo(200);
    assertThat(fresh.stock(1).codes()).containsExactly("SCOPE_MISSING");
    assertThat(limited.products("page=1").status()).isEqualTo(200);
    String next =
        address
            + "/tokens/"
            + merchant.id()
            + "/"
            + Credentials.visible(fresh.accesstoken())
            + "/rotate";
    Api last = api.withToken(token(mine.post(next, "grace", "0")));
    assertRefused(fresh, "TOKEN_EXPIRED");
    assertThat(last.products("page=1").status()).isEqualTo(200);
    assertThat(
            merchant.inDirectory(
                """
                select (max(expires_at) - min(created_at)) < interval '31 days'
                from access_token where merchant_id = ? and expires_at is not null
                """))
        .containsExactly("t");
    assertThat(mine.post(next, "grace", "0").statusCode()).as("it has ended").isEqualTo(404);
  }

  @Test
  void revokesATokenOfItsOwnMerchantOnly() {
    TestMerchant other = TestMerchant.fresh();
    Api foreign = other.tokenOf(api.appid(), api.secret());
    String own = Credentials.visible(api.accesstoken());
    String theirs = Credentials.visible(foreign.accesstoken());

    assertThat(mine.get(path(other.id(), theirs)).statusCode()).isEqualTo(404);
    assertThat(mine.post(path(other.id(), theirs)).statusCode()).isEqualTo(404);
    assertThat(mine.post(path(merchant.id(), theirs)).statusCode()).isEqualTo(404);
    assertThat(foreign.products("page=1").status()).isEqualTo(200);
    assertThat(mine.get(address).body()).doesNotContain(theirs);

    assertThat(mine.get(path(merchant.id(), own)).body()).contains("You cannot undo this");
    assertThat(mine.post(path(merchant.id(), own)).statusCode()).isEqualTo(302);
    assertRefused(api, "TOKEN_REVOKED");
    assertThat(mine.get(address + "?done=token-revoked").body())
        .contains("Token revoked", "1 inactive token");
  }

  @Test
  void anOperatorIssuesForAMerchantThatExists() {
    Pages operator = Pages.of(TestPerson.operator());
    String[] form = {"scope", "stock:read", "expires", "never", "merchant", ""};

    form[5] = "2147483647";
    assertThat(operator.post(address + "/tokens", form).body()).contains("No merchant has this");
    form[5] = "x";
    assertThat(operator.post(address + "/tokens", form).statusCode()).isEqualTo(422);
    form[5] = Integer.toString(merchant.id());
    assertThat(token(operator.post(address + "/tokens", form))).startsWith("srt_");
    assertThat(tokens()).isEqualTo(2);
  }

  @Test
  void showsWhenATokenWasLastUsed() {
    assertThat(mine.get(address).body()).contains("Never");

    api.products("page=1");
    merchant.inDirectory(
        """
        with used as (
          update access_token set last_used_at = '2026-01-02 03:04Z' where merchant_id = ?
          returning prefix
        )
        select prefix from used
        """);

    assertThat(mine.get(address).body()).contains("2026-01-02 03:04");
  }

  /** A server caches credentials for half a second. */
  private static void assertRefused(Api api, String code) {
    assertThat(
            Eventually.within(
                Duration.ofSeconds(2), () -> api.products("page=1").codes().contains(code)))
        .as(code)
        .isTrue();
  }

  private String path(int merchantId, String prefix) {
    return address + "/tokens/" + merchantId + "/" + prefix + "/revoke";
  }

  private int tokens() {
    return Integer.parseInt(
        merchant.inDirectory("select count(*) from access_token where merchant_id = ?").getFirst());
  }

  private static String token(HttpResponse<String> page) {
    Matcher matcher = VALUE.matcher(page.body());
    assertThat(matcher.find()).as(page.body()).isTrue();
    return matcher.group(1);
  }
}
