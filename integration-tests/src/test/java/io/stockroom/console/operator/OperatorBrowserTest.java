package io.stockroom.console.operator;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.net.URI;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Operator pages in a real browser. */
class OperatorBrowserTest {
  @Test
  void anOperatorAddsAMerchantWhosePersonSignsInWithTheLink() {
    TestMerchant.fresh();
    String name = "Browser Shoes " + System.nanoTime();
    String email = "first%d@example.com".formatted(System.nanoTime());
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.operator());
        ConsoleBrowser theirs = ConsoleBrowser.stranger()) {
      Page page = browser.open("/console");
      assertThat(page.getByRole(AriaRole.HEADING).first()).hasText("Overview");
      page.getByRole(AriaRole.LINK, exactly("Merchants")).click();

      page.getByText("Add merchant").click();
      page.getByLabel("Name", new Page.GetByLabelOptions().setExact(false)).first().fill(name);
      page.locator("[name=storeName]").fill("Flagship");
      page.locator("[name=storeUrl]").fill("browser-shoes");
      page.getByRole(AriaRole.BUTTON, exactly("Add")).click();
      assertThat(page.getByText("Merchant added.")).isVisible();
      assertThat(page.getByRole(AriaRole.HEADING).first()).hasText(name);

      Locator limit = page.getByLabel("limits.detail-per-day for this merchant");
      limit.fill("many");
      limit.press("Enter");
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("\"many\" is not valid");
      page.getByLabel("limits.detail-per-day for this merchant").fill("450");
      page.getByLabel("limits.detail-per-day for this merchant").press("Enter");
      assertThat(page.getByText("Saved: limits.detail-per-day.")).isVisible();
      assertThat(page.getByText("Reset to 300")).isVisible();

      page.getByRole(AriaRole.LINK, exactly("Add person")).click();
      assertThat(page.locator("main [name=merchant]").first())
          .hasValue(Pattern.compile(".*" + name));
      page.getByLabel("Email address").first().fill(email);
      page.getByText("Add and show link").click();
      String link = page.locator("#link").inputValue();
      page.getByText("Copy", new Page.GetByTextOptions().setExact(true)).click();
      assertThat(page.locator("button[data-copy=link]")).hasText("✓ Copied");

      Page first = theirs.open(URI.create(link).getPath());
      first.getByLabel("New password").fill("three words in a row");
      first.getByText("Save and sign in").click();
      assertThat(first.getByText("First steps")).isVisible();
      assertThat(first.locator(".merchant")).hasText(name);

      page.reload();
      assertThat(browser.complaints()).isEmpty();
      assertThat(theirs.complaints()).isEmpty();
    }
  }

  @Test
  void findsMerchantsWhileTypingAndVerifiesTheAuditLog() {
    TestMerchant.fresh();
    TestPerson operator = TestPerson.operator();
    try (ConsoleBrowser browser = ConsoleBrowser.of(operator)) {
      Page page = browser.open("/console/merchants");
      page.getByRole(AriaRole.SEARCHBOX).fill("nothing like it");
      assertThat(page.locator("#list .count")).hasText("No merchant matches “nothing like it”.");

      page.getByRole(AriaRole.LINK, exactly("Audit log")).click();
      page.getByText("Verify now").click();
      assertThat(page.locator("#check")).isFocused();

      assertThat(page.locator("#check")).containsText("✓ Intact");
      assertThat(page.locator("#check")).containsText(operator.email());
      assertThat(browser.complaints()).isEmpty();
    }
  }

  private static Page.GetByRoleOptions exactly(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }
}
