package io.stockroom.console.webhooks;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.stockroom.console.Keys;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Changes and webhooks with the keyboard alone. */
class WebhookKeyboardTest {
  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void createsReplaysTestsAndDeletesAWebhookAndFollowsChanges() {
    merchant.product();
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/changes");
      Keys.press(page, page.locator("main button"));
      assertThat(page).hasURL(Pattern.compile(".*live=true.*"));
      assertThat(page.locator("main button")).hasAttribute("aria-pressed", "true");

      browser.show(page, "/console/webhooks");
      Keys.press(page, page.locator(".heading a.button"));
      Keys.tabTo(page, page.locator("#new"));
      page.keyboard().type("https://127.0.0.1/in");
      page.keyboard().press("Enter");
      assertThat(page.locator("#once-value")).isVisible();

      browser.show(page, "/console/webhooks");
      Keys.press(page, page.locator("table.list .lead a"));
      assertThat(page.locator("h1")).containsText("127.0.0.1");
      Keys.tabTo(page, page.locator("[name=after]"));
      page.keyboard().type("latest");
      page.keyboard().press("Enter");
      assertThat(page.getByText("The changes are being delivered again.")).isFocused();
      Keys.press(page, page.getByText("Send test"));
      Locator failed = page.getByText("The test failed.");
      assertThat(failed).isFocused();
      assertThat(failed).hasRole(AriaRole.ALERT);
      Keys.press(page, page.locator("a[href$='/delete']"));
      Keys.press(page, page.locator("main form button"));
      assertThat(page.locator("[role=status]").first()).isAttached();
      assertThat(page).hasURL(Pattern.compile(".*/console/webhooks.*"));
      Assertions.assertThat(browser.complaints()).isEmpty();
    }
  }
}
