package io.stockroom.console.account;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.TestFactor;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Two-step verification in a real browser. */
class SecondFactorBrowserTest {
  private static final String PASSWORD = TestPerson.PASSWORD;
  private static final String NARROW =
      "() => document.documentElement.scrollWidth <= window.innerWidth";

  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void aPersonSetsItUpAndSignsInWithACode() {
    TestPerson person = withPassword();
    String secret;
    try (ConsoleBrowser browser = ConsoleBrowser.of(person).phone()) {
      Page page = browser.open("/console/account");
      page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Set up")).click();
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Set up")).click();
      assertThat(page.getByRole(AriaRole.IMG, new Page.GetByRoleOptions().setName("QR code")))
          .isVisible();
      check(browser, page);
      secret = page.locator("#secret").innerText().replace(" ", "");

      page.locator("main input[name=code]").fill(TestFactor.code(secret, 0));
      page.getByText("Turn on", new Page.GetByTextOptions().setExact(true)).click();

      assertThat(page.getByText("Your recovery codes", new Page.GetByTextOptions().setExact(true)))
          .isVisible();
      assertThat(page.locator("#codes span")).hasCount(10);
      check(browser, page);
      page.reload();
      assertThat(page.getByText("10 recovery codes are left.")).isVisible();
      check(browser, page);
    }
    try (ConsoleBrowser browser = ConsoleBrowser.stranger()) {
      Page page = browser.open("/console/sign-in");
      assertThat(page.getByLabel("Email")).isFocused();
      page.keyboard().type(person.email());
      page.keyboard().press("Tab");
      page.keyboard().type(PASSWORD);
      page.keyboard().press("Enter");
      assertThat(page.getByRole(AriaRole.HEADING)).hasText("Enter your code");
      check(browser, page);
      assertThat(page.getByLabel("Code")).isFocused();
      page.keyboard().type(TestFactor.code(secret, 1));
      page.keyboard().press("Enter");
      assertThat(page.getByRole(AriaRole.HEADING).first()).hasText("Overview");
    }
  }

  @Test
  void aSessionThatEndsInTheMiddleGoesOnAfterPasswordAndCode() {
    merchant.products(12);
    TestPerson person = withPassword();
    TestFactor factor = TestFactor.of(person);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/products");
      person.age("1 day", "2 days");

      page.getByRole(AriaRole.SEARCHBOX).fill("a12");
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      assertThat(dialog.getByLabel("Password")).isFocused();
      page.keyboard().type(PASSWORD);
      page.keyboard().press("Enter");
      assertThat(dialog.getByLabel("Code")).isFocused();
      assertThat(dialog.getByLabel("Password")).isHidden();
      Assertions.assertThat(browser.contentFaults(page)).isEmpty();
      page.keyboard().type("000000x");
      page.keyboard().press("Enter");
      assertThat(dialog.getByRole(AriaRole.ALERT)).containsText("This code is wrong");
      dialog.getByLabel("Code").fill(factor.fresh());
      page.keyboard().press("Enter");

      assertThat(dialog).isHidden();
      assertThat(page.locator("tbody tr")).hasCount(1);
    }
  }

  private static void check(ConsoleBrowser browser, Page page) {
    Assertions.assertThat(browser.contentFaults(page)).isEmpty();
    Assertions.assertThat(page.evaluate(NARROW)).isEqualTo(true);
  }

  private TestPerson withPassword() {
    return TestPerson.of(merchant).withPassword();
  }
}
