package io.stockroom.console.stock;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.stockroom.console.stock.GridActions.cell;
import static io.stockroom.console.stock.GridActions.focus;
import static io.stockroom.console.stock.GridActions.paste;
import static io.stockroom.console.stock.GridActions.press;
import static io.stockroom.console.stock.GridActions.status;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The grid in a real browser; each test is a whole workflow. */
class GridTest {
  private static final String COPY =
      """
      () => {
        const data = new DataTransfer();
        document.activeElement.dispatchEvent(
          new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true }));
        return data.getData("text/plain");
      }
      """;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final int product = merchant.product();
  private final TestPerson person = TestPerson.of(merchant);

  @Test
  void isEditedSavedAndUndoneByKeysAlone() {
    create("black", "36-40", 5);
    create("red", "36-39", 0);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open(path());
      focus(page, 0, 0);

      // typing replaces, Enter moves down; F2 edits and Escape cancels
      press(page, "1", "2", "Enter");
      assertThat(cell(page, 0, 0)).containsText("12");
      assertThat(cell(page, 1, 0)).isFocused();
      press(page, "F2", "9", "Escape");
      assertThat(cell(page, 1, 0)).containsText("0");
      assertThat(status(page)).hasText("1 change");

      // one Tab stop; Home, End and the corners
      assertThat(page.locator("td[tabindex='0']")).hasCount(1);
      press(page, "End");
      assertThat(cell(page, 1, 4)).isFocused();
      press(page, "Control+Home", "Control+End", "ArrowUp");
      assertThat(cell(page, 0, 4)).isFocused();

      // a selection is cleared in one step, which can be undone and redone
      press(page, "Shift+ArrowLeft", "Shift+ArrowLeft", "Delete");
      assertThat(page.locator("td[aria-selected='true']")).hasCount(3);
      assertThat(status(page)).hasText("4 changes");
      assertThat(page.locator("[data-sum-row='0']")).hasText("17");
      press(page, "Control+z");
      assertThat(status(page)).hasText("1 change");
      press(page, "Control+Shift+z");
      assertThat(status(page)).hasText("4 changes");
      press(page, "Control+z", "Control+z", "Control+y");
      assertThat(status(page)).hasText("1 change");
      assertThat(page.locator("[data-sum-all]")).hasText("32");

      press(page, "Control+s");
      assertThat(status(page)).hasText("Saved.");
      assertThat(merchant.api().stock(product).data("stock").getFirst()).isEqualTo("12");
      page.reload();
      assertThat(cell(page, 0, 0)).hasText("12");
      assertThat(status(page)).isHidden();

      // the keyboard shortcuts, and the history of the cell
      focus(page, 0, 0);
      press(page, "?");
      // from its top, although the only button is at its end
      assertThat(page.locator("#grid-keys-title")).isFocused();
      press(page, "Escape", "h");
      assertThat(page.locator("#grid-history tr")).hasCount(2);
      assertThat(page.locator("#grid-history li").first()).containsText(person.email());
      press(page, "Escape");

      // undo a batch from the product's history
      page.locator("[data-do='history']").click();
      page.locator("#grid-history li").first().getByRole(AriaRole.BUTTON).click();
      assertThat(status(page)).hasText("Undone: 1 cell has its previous value again.");
      assertThat(cell(page, 0, 0)).hasText("5");
      assertThat(browser.contentFaults(page)).isEmpty();
    }
  }

  @Test
  void exchangesRangesWithExcel() {
    create("black", "36-38", 5);
    create("red", "36-38", 1200);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person).dark()) {
      Page page = browser.open(path());
      focus(page, 0, 1);

      paste(page, "7\t1,300\t1\r\n3\t\t1\r\n2\t2\t2\r\n");

      assertThat(cell(page, 0, 1)).containsText("7");
      assertThat(cell(page, 0, 2)).containsText("1,300");
      assertThat(cell(page, 1, 2)).hasText("1,200");
      assertThat(status(page))
          .containsText("Cells pasted: 3 · Pasted values that did not fit and were skipped: 5.");
      assertThat(browser.contentFaults(page)).isEmpty();

      press(page, "Control+s");
      assertThat(status(page)).hasText("Saved.");
      press(page, "Control+Home", "Shift+ArrowDown", "Shift+ArrowRight");
      assertThat(page.evaluate(COPY)).isEqualTo("5\t7\r\n1200\t3");
      // one value fills the selection
      paste(page, "4");
      assertThat(status(page)).containsText("4 changes");
      page.locator("[data-do='undo-all']").click();
      assertThat(status(page)).isHidden();
      assertThat(merchant.api().stock(product).data("stock"))
          .containsExactly("5", "7", "1300", "1200", "3", "1200");
    }
  }

  @Test
  void reportsTheSaveAndKeepsEditsMadeDuringIt() {
    create("black", "36-38", 5);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open(path());
      Locator save = page.locator("[data-do='save']");
      Locator discard = page.locator("[data-do='undo-all']");
      List<Route> held = new ArrayList<>();
      page.route("**" + path(), held::add);
      focus(page, 0, 0);
      press(page, "7", "Tab", "8", "Tab");
      save.click();
      assertThat(status(page)).hasText("Saving… · 2 changes");
      assertThat(status(page)).hasAttribute("aria-live", "polite");
      assertThat(save).hasAttribute("aria-disabled", "true");

      // edits made during a save stay edits: a new one, another one of the same cell, a reverted
      // one
      focus(page, 0, 2);
      press(page, "Control+z", "9", "Tab", "Control+Home", "1", "Enter");
      assertThat(status(page)).hasText("Saving… · 2 changes");
      page.unroute("**" + path());
      held.getFirst().resume();
      assertThat(status(page)).hasText("Saved. · 3 changes");
      assertThat(merchant.api().stock(product).data("stock")).containsExactly("7", "8", "5");
      assertThat(cell(page, 0, 0)).containsText("71");
      save.click();
      assertThat(status(page)).hasText("Saved.");
      assertThat(save).isHidden();
      assertThat(discard).isHidden();
      assertThat(cell(page, 0, 0)).isFocused();
      assertThat(merchant.api().stock(product).data("stock")).containsExactly("1", "5", "9");

      // an unreachable server loses no edit
      page.route("**" + path(), Route::abort);
      press(page, "3", "Enter", "Control+s");
      assertThat(status(page)).hasText("Not saved. Your changes are still here. · 1 change");
      assertThat(save).hasAttribute("aria-disabled", "false");
      discard.click();
      assertThat(status(page)).isHidden();
      assertThat(discard).isHidden();
      assertThat(cell(page, 0, 0)).isFocused();
    }
  }

  @Test
  void addsSizesWithAPreviewAndColorsByCopying() {
    create("<img src=x onerror=alert(1)>", "40", 3);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person).chinese()) {
      Page page = browser.open(path());
      List<String> alerts = new ArrayList<>();
      page.onDialog(dialog -> alerts.add(dialog.message()));
      assertThat(page.locator("tbody th")).hasText("<img src=x onerror=alert(1)>");

      page.locator("[data-do='add-sizes']").click();
      Locator range = page.locator("[name='range']");
      range.fill("44-36");
      assertThat(page.locator("#grid-sizes-preview")).containsText("36-44");
      assertThat(range).hasAttribute("aria-invalid", "true");
      range.fill("38-41");
      assertThat(page.locator("#grid-sizes-preview")).hasText("将添加 38, 39, 41");
      press(page, "Enter");
      assertThat(page.locator("thead th"))
          .hasText(new String[] {"颜色", "38", "39", "40", "41", "合计"});

      page.locator("[data-do='add-color']").click();
      page.locator("[name='name']").fill("米色");
      page.locator("[name='from']").selectOption("<img src=x onerror=alert(1)>");
      press(page, "Enter");
      assertThat(page.locator("tbody th").last()).hasText("米色");
      assertThat(status(page)).containsText("1 处更改");
      assertThat(browser.contentFaults(page)).isEmpty();
      page.locator("[data-do='save']").click();
      assertThat(status(page)).hasText("已保存。");

      // only cells with a value became entries
      assertThat(merchant.api().stock(product).data("color"))
          .containsExactly("<img src=x onerror=alert(1)>", "米色");
      assertThat(alerts).isEmpty();
    }
  }

  @Test
  void showsBothValuesOfAConflictAndLosesNeither() {
    create("black", "36-38", 5);
    try (ConsoleBrowser mine = ConsoleBrowser.of(person);
        ConsoleBrowser theirs = ConsoleBrowser.of(TestPerson.of(merchant))) {
      Page page = mine.open(path());
      // it learns of the other's changes only when it saves
      page.route("**/stock/live*", Route::abort);
      Page other = theirs.open(path());
      focus(other, 0, 0);
      press(other, "8", "Tab", "9", "Tab", "Control+s");
      assertThat(status(other)).hasText("Saved.");

      focus(page, 0, 0);
      press(page, "6", "Tab", "7", "Tab", "4", "Tab", "Control+s");

      assertThat(page.locator("#grid-conflicts li")).hasCount(2);
      assertThat(cell(page, 0, 0)).containsText("6⇄ 8");
      assertThat(status(page))
          .hasText("Not saved. Your changes are still here. · 3 changes · 2 conflicts to resolve");
      assertThat(merchant.api().stock(product).data("stock")).containsExactly("8", "9", "5");
      assertThat(mine.contentFaults(page)).isEmpty();
      page.getByText("Yours: 6").click();
      assertThat(page.locator("#grid-conflicts li")).hasCount(1);
      page.locator("[data-do='all-theirs']").click();
      assertThat(page.locator("#grid-conflicts")).isHidden();
      assertThat(cell(page, 0, 1)).hasText("9");
      press(page, "Control+s");
      assertThat(status(page)).hasText("Saved.");
      assertThat(merchant.api().stock(product).data("stock")).containsExactly("6", "9", "4");
    }
  }

  @Test
  void keepsEditsWhenTheTabClosesOrTheSessionEnds() {
    create("black", "36", 5);
    person.withPassword();
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open(path());
      List<String> warnings = new ArrayList<>();
      page.onDialog(dialog -> warnings.add(dialog.type()));
      focus(page, 0, 0);
      press(page, "7", "Enter");
      page.reload();
      assertThat(warnings).containsExactly("beforeunload");
      assertThat(cell(page, 0, 0)).containsText("7");
      assertThat(status(page)).hasText("Your unsaved changes were restored. · 1 change");

      person.age("1 day", "2 days");
      page.locator("[data-do='save']").click();
      page.locator("#sign-in-again [name='password']").fill(TestPerson.PASSWORD);
      press(page, "Enter");
      assertThat(status(page)).hasText("Saved.");
      assertThat(merchant.api().stock(product).data("stock")).containsExactly("7");
    }
  }

  @Test
  void findsACellByItsBarcodeAndAssignsAnUnknownOne() {
    create("black", "36-38", 5);
    merchant.api().create(Stock.list(Stock.group(product, "black", Stock.size("38", 5, "6901"))));
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open(path());
      Locator scan = page.locator("#grid-scan input");
      scan.fill("6901");
      press(page, "Enter");
      assertThat(cell(page, 0, 2)).isFocused();

      focus(page, 0, 1);
      scan.fill("6902");
      press(page, "Enter");
      assertThat(page.locator("#grid-scan-result")).containsText("No color or barcode matches");
      page.locator("#grid-scan-result button").click();
      assertThat(cell(page, 0, 1)).containsText("6902");
      press(page, "ArrowLeft", "6", "9", "0", "1", "Enter", "Control+s");
      assertThat(cell(page, 0, 0)).hasAttribute("aria-invalid", "true");
      assertThat(cell(page, 0, 0)).hasAccessibleName(Pattern.compile(".*already used by.*"));
      assertThat(browser.contentFaults(page)).isEmpty();
      press(page, "Delete", "Control+s");
      assertThat(status(page)).hasText("Saved.");
      assertThat(merchant.api().stock(product).data("barCode"))
          .containsExactly("null", "6902", "6901");
    }
  }

  @Test
  void showsASingleColorOnAPhone() {
    create("black", "36-38", 5);
    create("red", "36-37", 2);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person).phone()) {
      Page page = browser.open(path());
      assertThat(page.locator("table")).hasCount(0);
      page.locator(".phone-color select").selectOption("red");
      Locator first = page.locator(".phone-sizes input").first();
      assertThat(first).hasValue("2");
      assertThat(first).hasAttribute("inputmode", "numeric");
      first.fill("12");
      press(page, "Enter");
      page.locator(".phone-sizes input").nth(1).fill("x");
      press(page, "Enter");
      assertThat(status(page)).hasText("1 change · 1 cell has an error");
      page.locator(".phone-sizes input").nth(1).fill("0");
      page.locator("[data-do='save']").click();
      assertThat(status(page)).hasText("Saved.");
      assertThat(browser.contentFaults(page)).isEmpty();
      assertThat(merchant.api().stock(product).data("stock"))
          .containsExactly("5", "5", "5", "12", "0");

      page.locator("#grid-remove-menu summary").click();
      page.locator("[data-do='remove-color']").click();
      page.locator("#grid-remove [type=submit]").click();
      assertThat(page.locator(".note-place").first()).hasText("✕ removed · changed from 12");
    }
  }

  private void create(String color, String sizes, int quantity) {
    assertThat(merchant.api().create(Stock.one(product, color, sizes, quantity)).success())
        .isTrue();
  }

  private String path() {
    return "/console/products/" + product + "/stock";
  }
}
