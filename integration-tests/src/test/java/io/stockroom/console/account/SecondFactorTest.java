package io.stockroom.console.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.settings.SecondFactorRule;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestFactor;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two-step verification: every rule over HTTP. */
class SecondFactorTest {
  private static final String PASSWORD = TestPerson.PASSWORD;
  private static final String PAGE = "/console/account/second-factor";

  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void isActiveAfterAFirstCodeAndEndsEveryOtherSession() {
    TestPerson person = withPassword();
    Pages other = signedIn(person);
    Pages here = Pages.of(person);

    here.post(PAGE + "/begin");
    String secret = TestFactor.secret(here.get(PAGE).body());
    assertThat(TestFactor.secret(here.get(PAGE).body()))
        .as("stays until confirmed")
        .isEqualTo(secret);
    assertThat(signedIn(person).get("/console/account").statusCode()).isEqualTo(200);
    assertThat(confirm(here, TestFactor.code(secret, -2)).statusCode()).isEqualTo(422);
    assertThat(other.get("/console/account").statusCode()).isEqualTo(200);

    HttpResponse<String> done = confirm(here, " " + TestFactor.code(secret, 0) + " ");

    assertThat(done.statusCode()).isEqualTo(200);
    assertThat(new HashSet<>(TestFactor.recoveryCodes(done.body()))).hasSize(10);
    assertThat(here.get(PAGE).body()).contains("10 recovery codes are left").doesNotContain(secret);
    assertThat(other.get("/console/account").statusCode()).isEqualTo(302);
    assertThat(confirm(here, TestFactor.code(secret, 1)).statusCode()).as("is on").isEqualTo(422);
  }

  @Test
  void requiresACodeAfterThePassword() {
    TestPerson person = withPassword();
    TestFactor factor = TestFactor.of(person);
    Pages pages = Pages.stranger();

    HttpResponse<String> password = password(pages, person, "/console/products?q=a");

    assertThat(location(password))
        .isEqualTo("/console/sign-in/code?next=%2Fconsole%2Fproducts%3Fq%3Da");
    assertThat(pages.cookies()).doesNotContainKeys("stockroom-session", "stockroom-browser");
    assertThat(location(pages.get("/console/account"))).startsWith("/console/sign-in?");
    assertThat(pages.get("/console/sign-in/code").body()).contains("Enter your code");
    HttpResponse<String> in =
        pages.post(
            "/console/sign-in/code", "code", factor.fresh(), "next", "/console/products?q=a");
    assertThat(location(in)).isEqualTo("/console/products?q=a");
    assertThat(pages.get("/console/account").statusCode()).isEqualTo(200);
    assertThat(pages.cookies()).containsEntry("stockroom-sign-in", "");
  }

  @Test
  void acceptsTheCodeOfTheNextStepAndNoneFromAMinuteAgo() {
    TestPerson person = withPassword();
    TestFactor factor = TestFactor.of(person);
    Pages pages = Pages.stranger();
    password(pages, person, "");

    factor.fresh();
    HttpResponse<String> old = code(pages, factor.code(-2));
    assertThat(old.statusCode()).isEqualTo(401);
    assertThat(old.body()).contains("This code is wrong or was used before.");
    assertThat(code(pages, factor.code(1)).statusCode()).isEqualTo(302);
  }

  @Test
  void aCodeWorksOnce() {
    TestPerson person = withPassword();
    TestFactor factor = TestFactor.of(person);
    Pages first = Pages.stranger();
    Pages second = Pages.stranger();
    password(first, person, "");
    password(second, person, "");
    String code = factor.fresh();

    assertThat(code(first, code).statusCode()).isEqualTo(302);
    assertThat(code(second, code).statusCode()).isEqualTo(401);
  }

  @Test
  void aRecoveryCodeWorksOnceInAnySpelling() {
    TestPerson person = withPassword();
    TestFactor factor = TestFactor.of(person);
    String recovery = factor.recoveryCodes().get(3);
    Pages first = Pages.stranger();
    Pages second = Pages.stranger();
    password(first, person, "");
    password(second, person, "");

    assertThat(code(first, recovery.replace("-", " ").toLowerCase(Locale.ROOT)).statusCode())
        .isEqualTo(302);
    assertThat(code(second, recovery).statusCode()).isEqualTo(401);
    assertThat(first.get(PAGE).body()).contains("9 recovery codes are left");
    assertThat(code(second, factor.recoveryCodes().get(4)).statusCode()).isEqualTo(302);
  }

  @Test
  void newRecoveryCodesRequireACodeAndReplaceTheOld() {
    TestPerson person = withPassword();
    TestFactor factor = TestFactor.of(person);
    Pages here = Pages.of(person);

    assertThat(here.post(PAGE + "/recovery-codes", "code", factor.code(-2)).statusCode())
        .isEqualTo(422);
    HttpResponse<String> renewed = here.post(PAGE + "/recovery-codes", "code", factor.fresh());

    assertThat(TestFactor.recoveryCodes(renewed.body()))
        .hasSize(10)
        .doesNotContainAnyElementsOf(factor.recoveryCodes());
    Pages pages = Pages.stranger();
    password(pages, person, "");
    assertThat(code(pages, factor.recoveryCodes().getFirst()).statusCode()).isEqualTo(401);
    assertThat(code(pages, TestFactor.recoveryCodes(renewed.body()).getFirst()).statusCode())
        .isEqualTo(302);
  }

  @Test
  void turningOffRequiresThePasswordAndACode() {
    TestPerson person = withPassword();
    TestFactor factor = TestFactor.of(person);
    Pages here = Pages.of(person);

    assertThat(disable(here, "wrong", factor.fresh()).statusCode()).isEqualTo(422);
    assertThat(disable(here, PASSWORD, factor.code(-2)).statusCode()).isEqualTo(422);
    assertThat(location(password(Pages.stranger(), person, ""))).contains("/sign-in/code");
    assertThat(location(disable(here, PASSWORD, factor.fresh()))).isEqualTo(PAGE + "?off");

    assertThat(location(password(Pages.stranger(), person, ""))).isEqualTo("/console");
  }

  @Test
  void aLinkReplacesThePasswordButNotTheCode() {
    TestPerson person = withPassword();
    TestFactor factor = TestFactor.of(person);
    String link =
        Admin.of(TestServer.shared())
            .post("/admin/people/" + person.email() + "/reset", "")
            .json()
            .get("link")
            .asString();
    Pages pages = Pages.stranger();

    assertThat(location(pages.post(link, "password", "another three words")))
        .isEqualTo("/console/sign-in/code");
    assertThat(pages.get("/console/account").statusCode()).isEqualTo(302);
    assertThat(code(pages, factor.fresh()).statusCode()).isEqualTo(302);
    assertThat(pages.get("/console/account").statusCode()).isEqualTo(200);
  }

  @Test
  void theFirstStepExpiresAfterTenMinutes() {
    TestPerson person = withPassword();
    TestFactor factor = TestFactor.of(person);
    Pages inside = Pages.stranger();
    password(inside, person, "");
    person.ageTickets("9 minutes");
    assertThat(code(inside, factor.fresh()).statusCode()).isEqualTo(302);

    Pages outside = Pages.stranger();
    password(outside, person, "");
    person.ageTickets("10 minutes");
    HttpResponse<String> late = code(outside, factor.fresh());
    assertThat(late.statusCode()).isEqualTo(410);
    assertThat(late.body()).contains("Enter your password again.");
    assertThat(location(outside.get("/console/sign-in/code"))).isEqualTo("/console/sign-in");
    assertThat(code(Pages.stranger(), factor.fresh()).statusCode()).isEqualTo(410);
  }

  @Test
  void aNewPasswordEndsSignInsThatWaitForACode() {
    TestPerson person = withPassword();
    TestFactor factor = TestFactor.of(person);
    Pages waiting = Pages.stranger();
    password(waiting, person, "");

    Pages.of(person)
        .post("/console/account", "former", PASSWORD, "password", "another three words");

    assertThat(code(waiting, factor.fresh()).statusCode()).isEqualTo(410);
  }

  @Test
  void signingOutEverywhereEndsSignInsThatWaitForACode() {
    TestPerson person = withPassword();
    TestFactor factor = TestFactor.of(person);
    Pages own = Pages.stranger();
    password(own, person, "");
    Pages.of(person).post("/console/sign-out", "everywhere", "true");
    assertThat(code(own, factor.fresh()).statusCode()).isEqualTo(410);

    Pages others = Pages.stranger();
    password(others, person, "");
    Pages.of(TestPerson.operator()).post("/console/people/" + person.id() + "/sign-out");
    assertThat(code(others, factor.fresh()).statusCode()).isEqualTo(410);
  }

  @Test
  void aCodeOfOnePersonDoesNotWorkOnTheTicketOfAnother() {
    TestPerson person = withPassword();
    TestFactor factor = TestFactor.of(person);
    TestFactor others = TestFactor.of(withPassword());
    Pages pages = Pages.stranger();
    password(pages, person, "");

    assertThat(code(pages, others.fresh()).statusCode()).isEqualTo(401);
    assertThat(code(pages, others.recoveryCodes().getFirst()).statusCode()).isEqualTo(401);
    assertThat(code(pages, factor.fresh()).statusCode()).isEqualTo(302);
  }

  @Test
  void aNewPasswordDiscardsASecretThatIsNotConfirmed() {
    TestPerson person = withPassword();
    Pages here = Pages.of(person);
    here.post(PAGE + "/begin");
    String secret = TestFactor.secret(here.get(PAGE).body());

    here.post("/console/account", "former", PASSWORD, "password", "another three words");

    Pages again = Pages.of(person.again());
    assertThat(confirm(again, TestFactor.code(secret, 0)).statusCode()).isEqualTo(422);
    assertThat(again.get(PAGE).body()).doesNotContain("id=\"secret\"");
  }

  @Test
  void throttlesGuessedCodesButNeverAKnownBrowser() {
    TestPerson person = withPassword();
    TestFactor factor = TestFactor.of(person);
    Pages known = strict();
    password(known, person, "");
    assertThat(code(known, factor.fresh()).statusCode()).isEqualTo(302);
    known.cookies().remove("__Host-stockroom-session");
    Pages guessing = strict();
    password(guessing, person, "");

    HttpResponse<String> last = code(guessing, factor.code(-2));
    assertThat(last.statusCode()).isEqualTo(401);
    // the 15-minute window may end during the test, which resets the count
    for (int i = 0; i < 6 && last.statusCode() == 401; i++) {
      last = code(guessing, factor.code(-2));
    }

    assertThat(last.statusCode()).isEqualTo(429);
    assertThat(last.body()).contains("Too many wrong codes");
    assertThat(Integer.parseInt(last.headers().firstValue("Retry-After").orElseThrow()))
        .isBetween(1, 900);
    password(known, person, "");
    assertThat(code(known, factor.fresh()).statusCode()).isEqualTo(302);
  }

  @Test
  void tellsTheDialogOfAPageThatACodeIsNeeded() {
    TestPerson person = withPassword();
    TestFactor factor = TestFactor.of(person);
    Pages script = Pages.stranger().with("Stockroom-Request", "fetch");

    HttpResponse<String> password = password(script, person, "");
    HttpResponse<String> wrong = code(script, "000000x");
    HttpResponse<String> in = code(script, factor.fresh());

    assertThat(password.statusCode()).isEqualTo(202);
    assertThat(password.body()).isEmpty();
    assertThat(wrong.statusCode()).isEqualTo(401);
    assertThat(wrong.body()).contains("This code is wrong").doesNotContain("<html");
    assertThat(in.statusCode()).isEqualTo(204);
    assertThat(in.headers().firstValue("Form-Token")).isPresent();
  }

  @Test
  void anOperatorResetsItForOthersButNotForThemselves() {
    TestPerson person = withPassword();
    TestFactor.of(person);
    TestPerson operator = TestPerson.operator();
    TestFactor.of(operator);
    Pages pages = Pages.of(operator);
    String path = "/console/people/" + person.id();

    assertThat(pages.get(path).body()).contains("Reset two-step verification");
    assertThat(location(pages.post(path + "/reset-second-factor"))).isEqualTo(path + "?reset");
    assertThat(pages.get(path + "?reset").body())
        .contains("Two-step verification reset")
        .doesNotContain("/reset-second-factor");
    assertThat(location(password(Pages.stranger(), person, ""))).isEqualTo("/console");
    assertThat(pages.post("/console/people/" + operator.id() + "/reset-second-factor").statusCode())
        .isEqualTo(409);
    assertThat(pages.get("/console/audit?action=person.second-factor-reset").body())
        .contains("Two-step verification reset", person.email());
  }

  @Test
  void operatorsMustSetItUpFirst() {
    assertThat(Settings.with(Map.of()).get(Settings.REQUIRE_SECOND_FACTOR))
        .isEqualTo(SecondFactorRule.OPERATORS);
    TestServer server = TestServer.with(Map.of("console.require-second-factor", "operators"));
    TestPerson operator = TestPerson.operator();
    Pages pages = on(server, operator);
    Pages others = on(server, TestPerson.of(merchant));

    assertThat(location(pages.get("/console/people"))).isEqualTo(PAGE);
    assertThat(location(pages.post("/console/people"))).isEqualTo(PAGE);
    assertThat(on(server, operator).with("HX-Request", "true").get("/console/audit").statusCode())
        .isEqualTo(403);
    assertThat(pages.get(PAGE).body()).contains("This server requires two-step verification.");
    assertThat(pages.get("/console/account").statusCode()).isEqualTo(200);
    assertThat(others.get("/console/products").statusCode()).isEqualTo(200);

    TestFactor.of(operator);

    assertThat(pages.get("/console/people").statusCode()).isEqualTo(200);
  }

  private static Pages on(TestServer server, TestPerson person) {
    Pages pages = Pages.on(server).withFormToken(person.formToken());
    pages.cookies().put("stockroom-session", person.session());
    return pages;
  }

  private TestPerson withPassword() {
    return TestPerson.of(merchant).withPassword();
  }

  private static Pages signedIn(TestPerson person) {
    Pages pages = Pages.stranger();
    assertThat(location(password(pages, person, ""))).isEqualTo("/console");
    return pages;
  }

  /** A browser without cookies, on a server with a low limit of attempts. */
  private static Pages strict() {
    return Pages.on(
            TestServer.with(
                Map.of("base-url", "https://shop.example", "limits.failed-sign-ins", "3")))
        .with("Origin", "https://shop.example");
  }

  private static HttpResponse<String> password(Pages pages, TestPerson person, String next) {
    return pages.post(
        "/console/sign-in", "email", person.email(), "password", PASSWORD, "next", next);
  }

  private static HttpResponse<String> code(Pages pages, String code) {
    return pages.post("/console/sign-in/code", "code", code);
  }

  private static HttpResponse<String> confirm(Pages pages, String code) {
    return pages.post(PAGE + "/confirm", "code", code);
  }

  private static HttpResponse<String> disable(Pages pages, String password, String code) {
    return pages.post(PAGE + "/disable", "password", password, "code", code);
  }

  private static String location(HttpResponse<String> response) {
    return response.headers().firstValue("Location").orElse("");
  }
}
