package io.stockroom.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Tasks with the keyboard alone, and where the focus is after each action. */
class KeyboardTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);

  @Test
  void aMerchantCreatesAProductFillsItsStockRemovesASizeAndArchivesIt() {
    merchant.product();
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/products");
      Keys.follow(page, "New product");
      Keys.tabTo(page, page.locator("[name=artNo]"));
      type(page, "K1", "Tab", "Summer sandal", "Tab", "5,90", "Enter");
      assertThat(page.locator("[name=price][aria-invalid=true]")).isFocused();
      type(page, "Control+a", "5.90", "Enter");
      // the focus is at the message, before the rest of the page
      assertThat(page.getByText("Product created. Next, add its stock.")).isFocused();

      Keys.backTo(page, page.getByText("Edit stock"));
      type(page, "Enter");
      Keys.press(page, page.locator("[data-do=add-sizes]"));
      type(page, "36-39", "Enter");
      assertThat(page.locator("[data-do=add-sizes]")).isFocused();
      Keys.press(page, page.locator("[data-do=add-color]"));
      type(page, "red", "Enter");
      assertThat(page.locator("td[data-column='0']")).isFocused();
      type(page, "Shift+Space", "12", "Control+Enter", "Control+s");
      assertThat(page.locator("#grid-status")).hasText("Saved.");
      assertThat(page.locator("[data-sum-all]")).hasText("48");

      // Escape keeps the size, and the focus is at the menu again
      removeSize(page);
      type(page, "Escape");
      assertThat(page.locator("#grid-remove-menu summary")).isFocused();
      type(page, "Tab", "Tab");
      removeSize(page);
      assertThat(page.locator("#grid-remove h2")).hasText("Remove 1 entry (39)?");
      type(page, "Enter");
      assertThat(page.locator("td[data-column='3']")).isFocused();
      assertThat(page.locator("#grid-status"))
          .containsText("Entries to remove: 1. Save to confirm.");
      type(page, "Control+s");
      assertThat(page.locator("#grid-status")).hasText("Saved.");
      assertThat(page.locator("[data-sum-all]")).hasText("36");

      type(page, "/", "K1");
      assertThat(page.locator("#palette [aria-selected=true]")).containsText("K1");
      type(page, "Enter");
      Keys.follow(page, "Archive");
      Keys.press(page, page.getByText("Archive product"));
      assertThat(page.getByText("Product archived.")).isFocused();
      Keys.press(page, page.getByLabel("Restore K1"));
      assertThat(page.getByText("Product restored.")).isFocused();
      Assertions.assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void aMenuClosesWhenTheFocusLeavesItAndGivesItBackOnEscape() {
    merchant.product();
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/products");
      Locator menu = page.locator(".views-menu");
      Locator summary = menu.locator("summary");
      Keys.press(page, summary);
      type(page, "Tab");
      assertThat(menu.locator("[name=name]")).isFocused();
      type(page, "Escape");
      assertThat(summary).isFocused();
      assertThat(menu.locator("[name=name]")).isHidden();

      type(page, "Enter", "Tab", "Tab");
      assertThat(menu.locator("button").last()).isFocused();
      type(page, "Tab");
      assertThat(menu.locator("[name=name]")).isHidden();

      page.evaluate("() => Stockroom.say('A sentence')");
      assertThat(page.locator("#messages")).hasText(Pattern.compile("A sentence.*"));
      type(page, "Escape");
      assertThat(page.locator("#messages")).isEmpty();
    }
  }

  @Test
  void theFocusIsAtTheMessageAfterViewsThresholdsAndPublishResults() {
    int product = merchant.product();
    merchant.api().detail(product);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/products?status=none-yet");
      Keys.press(page, page.locator(".views-menu summary"));
      type(page, "Tab", "New ones", "Enter");
      Locator saved = page.getByText("View saved. Open it again under Views.");
      assertThat(saved).isFocused();
      Keys.backTo(page, page.locator(".views-menu summary"));
      type(page, "Enter");
      Keys.press(page, page.getByLabel("Delete the view New ones"));
      assertThat(page.getByText("View deleted. The products are unchanged.")).isFocused();

      browser.show(page, "/console/products/" + product);
      Keys.press(page, page.locator("#low-stock summary"));
      type(page, "Tab", "7", "Enter");
      assertThat(page.getByText("Saved.")).isFocused();
      assertThat(page.locator("#low-stock summary")).containsText("7");

      browser.show(page, "/console/usage");
      Keys.press(page, page.getByText("Report as failed"));
      Locator nothing = page.getByText("No product was selected, so nothing was reported.");
      assertThat(nothing).isFocused();
      assertThat(nothing).hasRole(AriaRole.ALERT);
      Keys.tabTo(page, page.locator("input[name=product]"));
      type(page, "Space");
      Keys.press(page, page.getByText("Report as published"));
      assertThat(page.getByText("1 result reported.")).isFocused();
      Assertions.assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void anOperatorCopiesALinkForAPersonAndSignsThemOut() {
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.operator())) {
      Page page = browser.open("/console/people?q=" + person.email());
      Keys.follow(page, person.email());
      Keys.press(page, page.getByText("Create link"));
      assertThat(page.locator("section.note")).isFocused();
      assertThat(page.locator("section.note"))
          .hasAccessibleDescription(Pattern.compile("The link works once.*"));
      assertThat(page).hasURL(Pattern.compile(".*/console/people/\\d+"));
      Locator copy = page.locator("[data-copy]");
      Keys.press(page, copy);
      assertThat(page.locator("main > [role=status]")).hasText("✓ Copied");
      assertThat(copy).isFocused();

      Keys.press(page, page.locator("main form[action$='/sign-out'] button"));
      assertThat(page.getByText("Signed out everywhere.")).isFocused();
      Assertions.assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void aListThatRenewsItselfWaitsWhileTheFocusIsInIt() {
    merchant.product();
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.blank();
      page.clock().install();
      browser.show(page, "/console/changes?live=true");
      Locator list = page.locator("#list");
      Locator link = list.locator("tbody a").first();
      Keys.tabTo(page, link);
      list.evaluate("(element) => { element.dataset.former = ''; }");

      page.waitForResponse("**live=true", () -> page.clock().runFor(2_500));
      page.waitForResponse("**live=true", () -> page.clock().runFor(2_500));
      assertThat(link).isFocused();
      assertThat(list).hasAttribute("data-former", "");

      Keys.backTo(page, page.locator("main button[aria-pressed=true]"));
      page.clock().runFor(2_500);
      assertThat(page.locator("[data-former]")).hasCount(0);
    }
  }

  @Test
  void theHistoryContinuesAtTheOlderChanges() {
    int product = merchant.product();
    merchant.api().create(Stock.one(product, "black", "36", 5));
    String path = "/console/products/%d/stock".formatted(product);
    Pages pages = Pages.of(person);
    for (int i = 0; i < 20; i++) {
      Assertions.assertThat(
              pages
                  .json(
                      path,
                      "[{\"color\":\"black\",\"size\":36,\"quantity\":[%d,%d]}]"
                          .formatted(i + 5, i + 6))
                  .statusCode())
          .isEqualTo(200);
    }
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open(path + "#history");
      Locator items = page.locator("#grid-history li");
      assertThat(items).hasCount(20);

      Keys.press(page, page.locator("#grid-history [data-more]"));

      assertThat(items).hasCount(21);
      assertThat(items.last().locator("time")).isFocused();
    }
  }

  private static void removeSize(Page page) {
    Keys.backTo(page, page.locator("#grid-remove-menu summary"));
    type(page, "Enter");
    Keys.press(page, page.locator("[data-do=remove-size]"));
    assertThat(page.locator("#grid-remove")).isVisible();
  }

  /**
   * Types texts and presses keys; what has more than one letter and no key of that name is text.
   */
  private static void type(Page page, String... keys) {
    for (String key : keys) {
      if (key.matches("(Control|Shift)\\+.+|Tab|Enter|Escape|Space|/")) {
        page.keyboard().press(key);
      } else {
        page.keyboard().type(key);
      }
    }
  }
}
