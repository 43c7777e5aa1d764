package io.stockroom.console.stock;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.stockroom.console.stock.GridActions.cell;
import static io.stockroom.console.stock.GridActions.focus;
import static io.stockroom.console.stock.GridActions.press;
import static io.stockroom.console.stock.GridActions.status;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Filling many cells, and what others change while the page is open. */
class GridFillTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final int product = merchant.product();
  private final TestPerson person = TestPerson.of(merchant);

  @Test
  void fillsByHandleByHeadsAndByDialog() {
    merchant
        .api()
        .create(
            Stock.list(
                Stock.group(product, "black", Stock.size("36-38", 7)),
                Stock.group(product, "red", Stock.size("36-38", 50)),
                Stock.group(product, "white", Stock.size("36-38", 50))));
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/products/" + product + "/stock");

      // the handle copies the selected cell down
      focus(page, 0, 0);
      page.locator(".fill-handle").hover();
      page.mouse().down();
      BoundingBox last = cell(page, 2, 0).boundingBox();
      page.mouse().move(last.x + 20, last.y + 10);
      page.mouse().up();
      assertThat(cell(page, 2, 0)).containsText("7");
      assertThat(status(page)).containsText("2 changes");

      // Shift+Space selects the row, Ctrl+Enter fills it
      focus(page, 1, 1);
      press(page, "Shift+Space", "9", "Control+Enter");
      assertThat(page.locator("[data-sum-row='1']")).hasText("27");

      // a click on a size selects the column, the dialog adds to it
      page.locator(".stock-grid thead th").nth(3).click();
      page.locator("[data-do=set]").click();
      Assertions.assertThat(browser.contentFaults(page)).isEmpty();
      page.keyboard().type("-60");
      assertThat(page.locator("#grid-set-preview")).containsText("black 38");
      page.locator("#grid-set input[name=value]").fill("+10");
      page.keyboard().press("Enter");
      assertThat(page.locator("[data-sum-size='38']")).hasText("96");
    }
  }

  @Test
  void showsWhatOthersChangeBeforeSaving() {
    merchant.api().create(Stock.one(product, "black", "36-38", 5));
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open("/console/products/" + product + "/stock");
      focus(page, 0, 0);
      press(page, "8", "Enter");

      merchant.api().create(Stock.one(product, "black", "37", 77));

      assertThat(page.locator("#grid-others")).containsText(merchant.api().appid());
      assertThat(cell(page, 0, 1)).containsText("77");
      assertThat(cell(page, 0, 0)).containsText("8");
      press(page, "ArrowRight");
      assertThat(page.locator("#grid-reason")).containsText(merchant.api().appid());
      merchant.api().create(Stock.one(product, "black", "36", 99));
      assertThat(page.locator("#grid-conflicts")).containsText("99");
      Assertions.assertThat(browser.contentFaults(page)).isEmpty();
      page.locator("#grid-others button").click();
      assertThat(page.locator("#grid-others")).isHidden();
      assertThat(page.locator("td[tabindex='0']")).isFocused();
    }
  }

  @Test
  void showsTwoPeopleWhatTheOtherOneSaves() {
    merchant.api().create(Stock.one(product, "black", "36-38", 5));
    TestPerson colleague = TestPerson.of(merchant);
    String path = "/console/products/" + product + "/stock";
    try (ConsoleBrowser mine = ConsoleBrowser.of(person);
        ConsoleBrowser theirs = ConsoleBrowser.of(colleague)) {
      Page page = mine.open(path);
      Page other = theirs.open(path);
      focus(page, 0, 0);
      press(page, "8", "Enter");
      focus(other, 0, 0);
      press(other, "4", "Tab", "9", "Enter", "Control+s");
      assertThat(status(other)).containsText("Saved");

      assertThat(page.locator("#grid-others")).containsText(colleague.email());
      assertThat(cell(page, 0, 1)).containsText("9");
      assertThat(page.locator("#grid-conflicts")).containsText("Yours: 8");
      assertThat(page.locator("#grid-conflicts")).containsText("Theirs: 4");
      Assertions.assertThat(mine.contentFaults(page)).isEmpty();
      page.locator("[data-do=all-mine]").click();
      page.locator("#grid-bar [data-do=save]").click();
      assertThat(status(page)).containsText("Saved");

      assertThat(other.locator("#grid-others")).containsText(person.email());
      assertThat(cell(other, 0, 0)).containsText("8");
    }
  }
}
