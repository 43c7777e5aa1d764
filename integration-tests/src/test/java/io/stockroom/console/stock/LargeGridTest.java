package io.stockroom.console.stock;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.stockroom.console.stock.GridActions.cell;
import static io.stockroom.console.stock.GridActions.focus;
import static io.stockroom.console.stock.GridActions.press;
import static io.stockroom.console.stock.GridActions.status;

import com.microsoft.playwright.Page;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** A grid of more than 1,000 cells: the page has only those in view. */
class LargeGridTest {
  private static final int COLORS = 30;

  @Test
  void editsSelectsFillsAndUndoesThousandsOfCells() {
    TestMerchant merchant = TestMerchant.fresh();
    int product = merchant.product();
    merchant
        .api()
        .create(
            Stock.list(
                IntStream.range(0, COLORS)
                    .mapToObj(i -> Stock.group(product, "color " + i, Stock.size("10-49", 7)))
                    .toArray(String[]::new)));
    try (ConsoleBrowser browser = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = browser.open("/console/products/" + product + "/stock");
      assertThat(page.locator(".stock-grid.large")).isVisible();
      assertThat(cell(page, 0, 0)).hasText("7");
      Assertions.assertThat(page.locator("td[data-row]").count()).isBetween(100, 600);
      assertThat(page.locator("[data-sum-all]")).hasText("8,400");

      focus(page, 0, 0);
      press(page, "9", "Enter");
      assertThat(page.locator("[data-sum-row='0']")).hasText("282");
      assertThat(cell(page, 1, 0)).isFocused();

      press(page, "Control+a", "3", "Control+Enter");
      assertThat(status(page)).containsText("1200 changes");
      assertThat(page.locator("[data-sum-all]")).hasText("3,600");
      assertThat(page.locator("td[data-row]:not(.changed)")).hasCount(0);
      Assertions.assertThat(browser.contentFaults(page)).isEmpty();

      press(page, "Control+End");
      assertThat(cell(page, COLORS - 1, 39)).isFocused();
      assertThat(cell(page, COLORS - 1, 39)).isInViewport();
      assertThat(cell(page, COLORS - 1, 39)).hasAccessibleName("3, fewer than 5, changed from 7");
      assertThat(cell(page, COLORS - 2, 38)).hasText("▾73");
      press(page, "Control+z");
      assertThat(cell(page, COLORS - 1, 39)).hasText("7");

      // the focused cell stays in the page when it is scrolled out of view
      page.locator(".grid-scroll").evaluate("(scroll) => scroll.scrollTo(0, 0)");
      assertThat(cell(page, 0, 0)).hasText("79");
      assertThat(cell(page, COLORS - 1, 39)).isFocused();
      press(page, "ArrowUp");
      assertThat(cell(page, COLORS - 2, 39)).isInViewport();
      assertThat(page.locator("[aria-selected=true]")).hasCount(1);
      assertThat(page.locator(".stock-grid [tabindex='0']")).hasCount(1);
      Assertions.assertThat(browser.complaints()).isEmpty();
    }
  }
}
