package io.stockroom.console;

import com.microsoft.playwright.Page;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The look of sign-in, account and error pages. */
class SignInLookTest {
  /** The browser's name, which contains its version. */
  private static final String SESSION = ".rows .grow span";

  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void signingInLooksAsItShould() {
    TestPerson person = TestPerson.of(merchant).withPassword().again();
    TestPerson invited = TestPerson.of(merchant);
    TestPerson enrolling = TestPerson.of(merchant);
    Looks.check(
        "sign-in",
        TestServer.shared(),
        List.of(
            LookScene.of("sign-in", null, "/console/sign-in"),
            LookScene.of("sign-in-wrong", null, "/console/sign-in").then(SignInLookTest::wrong),
            LookScene.of("link", null, invited.link()),
            LookScene.of("link-weak", null, invited.link()).then(SignInLookTest::weak),
            LookScene.of("link-used", null, "/console/link/used-long-ago"),
            LookScene.of("account", person, "/console/account").measured(SESSION),
            LookScene.of("second-factor", person, "/console/account/second-factor"),
            LookScene.of("second-factor-set-up", enrolling, "/console/account/second-factor")
                .then(SignInLookTest::begin),
            LookScene.of("sign-in-again", person, "/console/account")
                .measured(SESSION)
                .then(
                    page ->
                        page.evaluate(
                            "() => document.getElementById('sign-in-again').showModal()")),
            LookScene.of("message", person, "/console/account")
                .measured(SESSION)
                .then(
                    page ->
                        page.evaluate(
                            "() => Stockroom.say('The server did not answer. Try again.')"))
                .withoutAxe(),
            LookScene.of("failure-missing", person, "/console/nothing-here")));
  }

  private static void begin(Page page) {
    if (page.locator(".qr").count() == 0) {
      page.locator("main button.main").click();
    }
    page.locator(".qr").waitFor();
  }

  private static void wrong(Page page) {
    page.locator("[name=email]").fill("nobody@example.com");
    page.locator("[name=password]").fill("not the password");
    page.locator("main button.main").click();
    page.locator(".problem").waitFor();
  }

  /** Long enough for the browser, but rejected by the server. */
  private static void weak(Page page) {
    page.locator("[name=password]").fill("aaaaaaaaaaaa");
    page.locator("main button.main").click();
    page.locator(".problem").waitFor();
  }
}
