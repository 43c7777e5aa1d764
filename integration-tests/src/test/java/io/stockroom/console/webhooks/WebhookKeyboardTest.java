package io.stockroom.console.webhooks;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Changes and webhooks with the keyboard alone. */
class WebhookKeyboardTest {
  private static final int MAX_TABS = 60;

  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void createsAndOpensAWebhookAndFollowsChanges() {
    merchant.product();
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/changes");
      press(page, page.locator("main button"), "Enter");
      assertThat(page).hasURL(Pattern.compile(".*live=true.*"));
      assertThat(page.locator("main button")).hasAttribute("aria-pressed", "true");

      browser.show(page, "/console/webhooks");
      press(page, page.locator(".heading a.button"), "Enter");
      tabTo(page, page.locator("#new"));
      page.keyboard().type("https://127.0.0.1/in");
      page.keyboard().press("Enter");
      assertThat(page.locator("#once-value")).isVisible();

      browser.show(page, "/console/webhooks");
      press(page, page.locator("table.list .lead a"), "Enter");
      assertThat(page.locator("h1")).containsText("127.0.0.1");
      press(page, page.locator("a[href$='/delete']"), "Enter");
      press(page, page.locator("main form button"), "Enter");
      assertThat(page.locator("[role=status]").first()).isAttached();
      assertThat(page).hasURL(Pattern.compile(".*/console/webhooks.*"));
      Assertions.assertThat(browser.complaints()).isEmpty();
    }
  }

  private static void press(Page page, Locator target, String key) {
    tabTo(page, target.first());
    page.keyboard().press(key);
  }

  private static void tabTo(Page page, Locator target) {
    for (int i = 0; i < MAX_TABS; i++) {
      if ((Boolean) target.evaluate("element => element === document.activeElement")) {
        return;
      }
      page.keyboard().press("Tab");
    }
    Assertions.fail("Tab does not reach " + target);
  }
}
