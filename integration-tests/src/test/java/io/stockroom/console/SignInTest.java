package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SignInTest {
  private static final String PASSWORD = TestPerson.PASSWORD;

  @Test
  void signsInWithAPasswordAndShowsTheHomePage() {
    TestPerson person = withPassword();
    Pages pages = Pages.stranger();

    HttpResponse<String> in = signIn(pages, person.email(), PASSWORD);

    assertThat(in.statusCode()).isEqualTo(302);
    assertThat(location(in)).isEqualTo("/console");
    assertThat(location(pages.get("/console"))).isEqualTo("/console/overview");
    assertThat(pages.get("/console/overview").statusCode()).isEqualTo(200);
  }

  @Test
  void acceptsTheAddressInAnyCaseAndWithSpaces() {
    TestPerson person = withPassword();

    assertThat(
            signIn(Pages.stranger(), "  " + person.email().toUpperCase(Locale.ROOT) + " ", PASSWORD)
                .statusCode())
        .isEqualTo(302);
  }

  @Test
  void wrongPasswordAndUnknownAddressGetTheSameResponse() {
    TestPerson person = withPassword();

    HttpResponse<String> wrong = signIn(Pages.stranger(), person.email(), PASSWORD + "!");
    HttpResponse<String> unknown = signIn(Pages.stranger(), "x" + person.email(), PASSWORD);

    assertThat(wrong.statusCode()).isEqualTo(401);
    assertThat(wrong.body()).contains("The email address or the password is wrong.");
    assertThat(unknown.statusCode()).isEqualTo(401);
    assertThat(unknown.body().replace("x" + person.email(), person.email()))
        .isEqualTo(wrong.body());
    assertThat(wrong.headers().allValues("Set-Cookie")).isEmpty();
  }

  @Test
  void rejectsAPersonWithoutAPassword() {
    TestPerson person = TestPerson.of(TestMerchant.fresh());

    assertThat(signIn(Pages.stranger(), person.email(), "").statusCode()).isEqualTo(401);
  }

  @Test
  void returnsOnlyToTheRequestedPage() {
    TestPerson person = withPassword();

    assertThat(location(Pages.stranger().get("/console/products?q=a")))
        .isEqualTo("/console/sign-in?next=%2Fconsole%2Fproducts%3Fq%3Da");
    assertThat(nextAfterSignIn(person, "/console/products?q=a")).isEqualTo("/console/products?q=a");
    for (String elsewhere :
        new String[] {
          "https://evil.example/",
          "//evil.example",
          "/console//evil",
          "/admin/people",
          "/consolex",
          "/console/\\evil",
          "/console/{x}"
        }) {
      assertThat(nextAfterSignIn(person, elsewhere)).as(elsewhere).isEqualTo("/console");
    }
  }

  @Test
  void keepsTheCookieFromScriptsAndOtherSites() {
    TestPerson person = withPassword();

    String cookie =
        signIn(Pages.stranger(), person.email(), PASSWORD)
            .headers()
            .allValues("Set-Cookie")
            .stream()
            .filter(set -> set.startsWith("stockroom-session="))
            .findFirst()
            .orElseThrow();

    assertThat(cookie).contains("; HttpOnly", "; SameSite=Lax", "; Path=/");
    assertThat(cookie).doesNotContain("Secure", "Max-Age", "Domain");
    assertThat(cookie.split("[=;]")[1]).matches("[A-Za-z0-9_-]{43}");
  }

  @Test
  void marksEveryCookieAsSecureWithHttps() {
    TestPerson person = withPassword();
    HttpResponse<String> in = signIn(strict(), person.email(), PASSWORD);

    assertThat(in.headers().allValues("Set-Cookie"))
        .hasSize(2)
        .allMatch(cookie -> cookie.startsWith("__Host-") && cookie.contains("; Secure"));
  }

  @Test
  void throttlesAGuessingAddressButNeverAKnownBrowser() {
    TestPerson person = withPassword();
    Pages known = strict();
    assertThat(signIn(known, person.email(), PASSWORD).statusCode()).isEqualTo(302);
    known.cookies().remove("__Host-stockroom-session");

    TestPerson neighbour = withPassword();
    assertThat(signIn(strict(), person.email(), "a wrong one").statusCode()).isEqualTo(401);
    HttpResponse<String> last = signIn(strict(), person.email(), "a wrong one");
    // the 15-minute window may end during the test, which resets the count
    for (int i = 0; i < 6 && last.statusCode() == 401; i++) {
      last = signIn(strict(), person.email(), "a wrong one");
    }

    assertThat(last.statusCode()).isEqualTo(429);
    assertThat(last.body()).contains("Too many wrong passwords");
    assertThat(Integer.parseInt(last.headers().firstValue("Retry-After").orElseThrow()))
        .isBetween(1, 900);
    assertThat(signIn(known, person.email(), PASSWORD).statusCode()).isEqualTo(302);
    assertThat(signIn(strict(), neighbour.email(), PASSWORD).statusCode())
        .as("somebody else at the same address")
        .isEqualTo(302);
  }

  @Test
  void endsASessionOnSigningOut() {
    TestPerson person = withPassword();
    Pages here = Pages.of(person);
    Pages copied = Pages.of(person);

    assertThat(location(here.post("/console/sign-out"))).isEqualTo("/console/sign-in");

    assertThat(copied.get("/console/account").statusCode()).isEqualTo(302);
    assertThat(here.cookies()).containsEntry("stockroom-session", "");
  }

  @Test
  void signsOutEverywhere() {
    TestPerson person = withPassword();
    Pages other = Pages.stranger();
    signIn(other, person.email(), PASSWORD);
    assertThat(other.get("/console/account").statusCode()).isEqualTo(200);

    Pages.of(person).post("/console/sign-out", "everywhere", "true");

    assertThat(other.get("/console/account").statusCode()).isEqualTo(302);
  }

  @Test
  void endsSessionsThatAreIdleOrOld() {
    TestPerson person = TestPerson.of(TestMerchant.fresh());
    Pages pages = Pages.of(person);

    person.age("11 hours 59 minutes", "13 days 23 hours");
    assertThat(pages.get("/console/account").statusCode()).isEqualTo(200);
    person.age("12 hours 1 second", "13 days");
    assertThat(pages.get("/console/account").statusCode()).isEqualTo(302);
    person.age("1 minute", "14 days 1 second");
    assertThat(pages.get("/console/account").statusCode()).isEqualTo(302);
  }

  @Test
  void aSessionIsValidOnEveryNode() {
    TestPerson person = TestPerson.of(TestMerchant.fresh());
    Pages other = Pages.on(TestServer.other());
    other.cookies().put("stockroom-session", person.session());

    assertThat(other.get("/console/account").body()).contains(person.email());
  }

  @Test
  void changingThePasswordEndsEveryOtherSession() {
    TestPerson person = withPassword();
    Pages other = Pages.of(person);
    Pages here = Pages.stranger();
    signIn(here, person.email(), PASSWORD);
    here.withFormToken(token(here.get("/console/account").body()));

    assertThat(
            here.post("/console/account", "former", "wrong", "password", "a new password")
                .statusCode())
        .isEqualTo(422);
    assertThat(other.get("/console/account").statusCode()).isEqualTo(200);
    HttpResponse<String> changed =
        here.post("/console/account", "former", PASSWORD, "password", "a new password");

    assertThat(location(changed)).isEqualTo("/console/account?changed");
    assertThat(here.get("/console/account?changed").body()).contains("Password changed");
    assertThat(other.get("/console/account").statusCode()).isEqualTo(302);
    assertThat(signIn(Pages.stranger(), person.email(), PASSWORD).statusCode()).isEqualTo(401);
  }

  @Test
  void anOpenSessionDoesNotAllowGuessingThePassword() {
    TestPerson person = withPassword();
    Pages pages = strict().withFormToken(person.formToken());
    pages.cookies().put("__Host-stockroom-session", person.session());

    HttpResponse<String> last = change(pages, "a wrong one");
    assertThat(last.statusCode()).isEqualTo(422);
    // the 15-minute window may end during the test, which resets the count
    for (int i = 0; i < 6 && last.statusCode() == 422; i++) {
      last = change(pages, "a wrong one");
    }

    assertThat(last.statusCode()).isEqualTo(429);
    assertThat(last.body()).contains("The password was wrong too often.");
    assertThat(signIn(Pages.stranger(), person.email(), PASSWORD).statusCode()).isEqualTo(302);
  }

  private static HttpResponse<String> change(Pages pages, String former) {
    return pages.post("/console/account", "former", former, "password", "a new password");
  }

  @Test
  void choosingAFirstPasswordEndsEveryOtherSession() {
    TestPerson person = TestPerson.of(TestMerchant.fresh());
    Pages other = Pages.of(person);
    Pages here = Pages.of(person.again());

    assertThat(here.get("/console/account").body()).doesNotContain("name=\"former\"");
    HttpResponse<String> weak = here.post("/console/account", "password", "qwertyuiop12");
    assertThat(weak.statusCode()).isEqualTo(422);
    assertThat(weak.body()).contains("follows the alphabet or the keyboard");
    assertThat(location(here.post("/console/account", "password", PASSWORD)))
        .isEqualTo("/console/account?changed");

    assertThat(here.get("/console/account").body()).contains("name=\"former\"");
    assertThat(other.get("/console/account").statusCode()).isEqualTo(302);
    assertThat(signIn(Pages.stranger(), person.email(), PASSWORD).statusCode()).isEqualTo(302);
    here.withFormToken(token(here.get("/console/account").body()));
    assertThat(here.post("/console/account", "password", "another three words").statusCode())
        .as("now it takes the present one")
        .isEqualTo(422);
  }

  @Test
  void removingAPersonEndsTheirSessionsImmediately() {
    TestPerson person = TestPerson.of(TestMerchant.fresh());
    Pages pages = Pages.of(person);
    assertThat(pages.get("/console/account").statusCode()).isEqualTo(200);

    Admin.of(TestServer.shared()).send("DELETE", "/admin/people/" + person.email(), "");

    assertThat(pages.get("/console/account").statusCode()).isEqualTo(302);
  }

  @Test
  void tellsAScriptThatTheSessionEndedAndGivesItANewTokenAfterSigningIn() {
    TestPerson person = withPassword();
    Pages pages = Pages.of(person).with("Stockroom-Request", "fetch");
    person.age("1 day", "2 days");

    HttpResponse<String> ended = pages.get("/console/products");
    HttpResponse<String> in = signIn(pages, person.email(), PASSWORD);

    assertThat(ended.statusCode()).isEqualTo(401);
    assertThat(ended.headers().firstValue("Stockroom-Session")).hasValue("ended");
    assertThat(ended.body()).isEqualTo("Your session has expired. Sign in to continue.");
    assertThat(in.statusCode()).isEqualTo(204);
    pages.withFormToken(in.headers().firstValue("Form-Token").orElseThrow());
    assertThat(pages.post("/console/preferences", "theme", "dark").statusCode()).isEqualTo(302);
  }

  /** A browser without cookies, on an https server with a low limit of attempts. */
  private static Pages strict() {
    return Pages.on(
            TestServer.with(
                Map.of("base-url", "https://shop.example", "limits.failed-sign-ins", "3")))
        .with("Origin", "https://shop.example");
  }

  private static TestPerson withPassword() {
    return TestPerson.of(TestMerchant.fresh()).withPassword();
  }

  private static HttpResponse<String> signIn(Pages pages, String email, String password) {
    return pages.post("/console/sign-in", "email", email, "password", password);
  }

  private static String nextAfterSignIn(TestPerson person, String next) {
    return location(
        Pages.stranger()
            .post("/console/sign-in", "email", person.email(), "password", PASSWORD, "next", next));
  }

  private static String location(HttpResponse<String> response) {
    return response.headers().firstValue("Location").orElse("");
  }

  private static String token(String page) {
    int start = page.indexOf("name=\"form-token\" content=\"") + 27;
    return page.substring(start, page.indexOf('"', start));
  }
}
