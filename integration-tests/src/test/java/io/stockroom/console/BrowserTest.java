package io.stockroom.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The console in a real browser: keyboard, touch and layout. */
class BrowserTest {
  private static final String PASSWORD = TestPerson.PASSWORD;

  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void aPersonSignsInAndReachesAProductWithTheKeyboardAlone() {
    merchant.products(3);
    TestPerson person = withPassword();
    try (ConsoleBrowser browser = ConsoleBrowser.stranger()) {
      Page page = browser.open("/console");

      assertThat(page.getByLabel("Email")).isFocused();
      page.keyboard().type(person.email());
      page.keyboard().press("Tab");
      page.keyboard().type(PASSWORD);
      page.keyboard().press("Enter");
      assertThat(page.getByRole(AriaRole.HEADING).first()).hasText("Overview");
      browser.show(page, "/console/products");
      page.keyboard().press("Tab");
      assertThat(page.getByText("Skip to content")).isFocused();
      page.keyboard().press("Enter");
      assertThat(page.getByRole(AriaRole.MAIN)).isFocused();
      page.keyboard().press("Tab");
      assertThat(page.getByRole(AriaRole.SEARCHBOX)).isFocused();
      page.keyboard().type("A2");
      assertThat(page.locator("#list .count")).containsText("1 product");
      Keys.follow(page, "A2");

      assertThat(page.getByRole(AriaRole.HEADING).first()).hasText("Shoe A2");
      assertThat(browser.contentFaults(page)).isEmpty();
    }
  }

  @Test
  void searchesWhileTyping() {
    merchant.products(12);
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/products");

      page.getByRole(AriaRole.SEARCHBOX).fill("a1");

      assertThat(page.locator("tbody tr")).hasCount(4);
      assertThat(page).hasURL(Pattern.compile(".*q=a1.*"));
      page.locator("#view select[name=status]").selectOption("sold-out");
      assertThat(page.locator("#list .count")).containsText("No product has “a1”");
      assertThat(page).hasURL(Pattern.compile(".*/console/products\\?q=a1&status=sold-out$"));
      assertThat(browser.contentFaults(page)).isEmpty();
    }
  }

  @Test
  void aPageContinuesAfterSigningInAgain() {
    merchant.products(12);
    TestPerson person = withPassword();
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/products");
      person.age("1 day", "2 days");
      page.evaluate(
          "() => document.querySelector('dialog [type=email]').addEventListener('focus', () => { window.wrong = true; })");

      page.getByRole(AriaRole.SEARCHBOX).fill("a12");
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      assertThat(dialog.getByLabel("Password")).isFocused();
      // not even for a moment: a screen reader would read both fields
      assertThat(page.evaluate("() => window.wrong")).isNull();
      assertThat(browser.contentFaults(page)).isEmpty();
      page.keyboard().type("a wrong password");
      page.keyboard().press("Enter");
      assertThat(dialog.getByRole(AriaRole.ALERT))
          .hasText("The email address or the password is wrong.");
      page.keyboard().type(PASSWORD);
      page.keyboard().press("Enter");

      assertThat(dialog).isHidden();
      assertThat(page.locator("tbody tr")).hasCount(1);
      page.evaluate(
          "() => Stockroom.send('/console/preferences', {method: 'POST', body: new URLSearchParams({theme: 'dark'})})");
      assertThat(browser.cookies()).containsEntry("stockroom-theme", "dark");
    }
  }

  @Test
  void aFormKeepsWhatWasTypedIfTheServerHangsOrTheSessionHasEnded() {
    int product = merchant.product();
    TestPerson person = withPassword();
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/products/%d/edit".formatted(product));
      Locator save =
          page.getByRole(
              AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Save").setExact(true));
      page.locator("[name=title]").fill("A better title");

      // 8 seconds pass at once
      page.evaluate(
          "() => { const later = setTimeout; window.setTimeout = (f, ms) => later(f, ms === 8000 ? 0 : ms); }");
      List<Route> held = new ArrayList<>();
      page.route("**/console/account", held::add);
      save.click();
      page.waitForCondition(() -> !held.isEmpty());
      assertThat(page.locator("#messages")).containsText("The server has not answered yet.");
      held.getFirst().abort();
      assertThat(page.locator("#messages")).containsText("Cannot reach the server.");
      page.unroute("**/console/account");
      person.age("1 day", "2 days");
      save.click();
      assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
      assertThat(page.locator("#messages")).isEmpty();
      page.keyboard().type(PASSWORD);
      page.keyboard().press("Enter");

      assertThat(page.getByRole(AriaRole.HEADING).first()).hasText("A better title");
    }
  }

  @Test
  void retriesAScriptsRequestAfterSigningInAndCancelsItWithTheDialog() {
    TestPerson person = withPassword();
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/account");
      person.age("1 day", "2 days");
      page.evaluate(
          """
          () => {
            const body = new URLSearchParams({language: "zh"});
            window.answer = Stockroom.send("/console/account", {method: "POST", body})
              .then((answer) => answer.status);
          }
          """);
      page.getByRole(AriaRole.DIALOG).getByText("Cancel").click();
      Assertions.assertThat(page.evaluate("() => window.answer")).isEqualTo(401);
    }
  }

  @Test
  void aPhoneShowsCardsAndScrollsInOneDirectionOnly() {
    merchant.products(3);
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant)).phone()) {
      for (String path :
          new String[] {
            "/console/products",
            "/console/products/" + merchant.productIds().getFirst(),
            "/console/account"
          }) {
        Page page = browser.open(path);

        assertThat(
                (Boolean)
                    page.evaluate(
                        "() => document.documentElement.scrollWidth <= window.innerWidth"))
            .as(path)
            .isTrue();
      }
      Page page = browser.open("/console/products");
      assertThat(page.locator("thead")).isHidden();
      // the whole card is the link's target
      page.getByText("Shoe A1").tap(new Locator.TapOptions().setForce(true));
      assertThat(page.getByRole(AriaRole.HEADING).first()).hasText("Shoe A1");
    }
  }

  @Test
  void aPictureThatCannotBeLoadedBecomesAPlaceholder() {
    merchant.importProducts(
        """
        {"artNo":"A1","title":"Shoe","price":5,"imgs":["http://p.invalid/1.jpg"]}
        """);
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/products");
      for (int i = 0; i < 2; i++) {
        assertThat(page.locator("main img"))
            .hasAttribute("src", Pattern.compile("data:image/svg.*"));
        page.locator("td.code a, .trail a").first().click();
      }
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void switchesLanguageAndThemeAndRemembersBoth() {
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant)).dark()) {
      Page page = browser.open("/console/account");
      Object dark = ground(page);

      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("中文")).click();
      assertThat(page.getByRole(AriaRole.HEADING).first()).hasText("账号");
      page.locator(".top > details.menu > summary").click();
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("浅色")).click();

      assertThat(page.locator("html")).hasAttribute("data-theme", "light");
      Assertions.assertThat(ground(page)).isNotEqualTo(dark);
      Page later = browser.open("/console/account");
      assertThat(later.locator("html")).hasAttribute("lang", "zh-CN");
      assertThat(later.locator("html")).hasAttribute("data-theme", "light");
    }
  }

  private static Object ground(Page page) {
    return page.evaluate("() => getComputedStyle(document.body).backgroundColor");
  }

  private TestPerson withPassword() {
    return TestPerson.of(merchant).withPassword();
  }
}
