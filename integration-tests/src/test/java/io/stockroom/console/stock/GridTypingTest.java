package io.stockroom.console.stock;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.stockroom.console.stock.GridActions.cell;
import static io.stockroom.console.stock.GridActions.editor;
import static io.stockroom.console.stock.GridActions.enter;
import static io.stockroom.console.stock.GridActions.focus;
import static io.stockroom.console.stock.GridActions.hint;
import static io.stockroom.console.stock.GridActions.press;
import static io.stockroom.console.stock.GridActions.status;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Typing into cells of the grid. */
class GridTypingTest {
  private static final String UNREADABLE = "{\"problem\":\"number\",\"values\":[]}";

  /** Text typed into a cell with 94, and its result. */
  private static final Map<String, String> READ =
      Map.ofEntries(
          Map.entry("12", set(12)),
          Map.entry(" 007 ", set(7)),
          Map.entry("1,200", set(1200)),
          Map.entry("１２", set(12)),
          Map.entry("2147483647", set(2147483647)),
          Map.entry("2147483648", problem("too-large", "2147483648")),
          Map.entry("+10", computed(104)),
          Map.entry("＋１０", computed(104)),
          Map.entry("+ 1,000", computed(1094)),
          Map.entry("+0", computed(94)),
          Map.entry("-4", computed(90)),
          Map.entry("－４", computed(90)),
          Map.entry("−4", computed(90)),
          Map.entry("-94", computed(0)),
          Map.entry("-95", problem("below-zero", "-1")),
          Map.entry("+2147483553", computed(2147483647)),
          Map.entry("+2147483554", problem("too-large", "2147483648")),
          Map.entry("=5+3", computed(8)),
          Map.entry("＝５＋３", computed(8)),
          Map.entry("= 2 + 3 * 4 - 1", computed(13)),
          Map.entry("=3×12", computed(36)),
          Map.entry("=-4+10", computed(6)),
          Map.entry("=5", computed(5)),
          Map.entry("=3-4", problem("below-zero", "-1")),
          Map.entry("=65536*32768", problem("too-large", "2147483648")),
          Map.entry("=9999999999*9999999999-9999999998*10000000000", computed(1)),
          Map.entry("12a", UNREADABLE),
          Map.entry("1.5", UNREADABLE),
          Map.entry("1,20", UNREADABLE),
          Map.entry("abc", UNREADABLE),
          Map.entry("--4", UNREADABLE),
          Map.entry("+", UNREADABLE),
          Map.entry("+4a", UNREADABLE),
          Map.entry("+1.5", UNREADABLE),
          Map.entry("5+3", UNREADABLE),
          Map.entry("=", UNREADABLE),
          Map.entry("=5+", UNREADABLE),
          Map.entry("=5 3", UNREADABLE),
          Map.entry("=5/2", UNREADABLE),
          Map.entry("=(5+3)", UNREADABLE),
          Map.entry("=1.5*2", UNREADABLE),
          Map.entry("5²", UNREADABLE),
          Map.entry("", UNREADABLE));

  private final TestMerchant merchant = TestMerchant.fresh();
  private final int product = merchant.product();
  private final TestPerson person = TestPerson.of(merchant);

  @Test
  void readsNumbersChangesAndCalculations() {
    create("black", "36", 94);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open(path());
      READ.forEach(
          (typed, result) ->
              assertThat(GridActions.call(page, "input", "evaluate", typed, 94))
                  .as("“%s”", typed)
                  .isEqualTo(result));
      for (String begun : new String[] {"", "+", "-", "=", "=5+", "=5 * "}) {
        assertThat(GridActions.call(page, "input", "incomplete", begun))
            .as(begun)
            .isEqualTo("true");
      }
      for (String whole : new String[] {"5", "+5", "a", "+a", "5+", "=5a"}) {
        assertThat(GridActions.call(page, "input", "incomplete", whole))
            .as(whole)
            .isEqualTo("false");
      }
    }
  }

  @Test
  void previewsAndAppliesRelativeChanges() {
    create("black", "36-40", 94);
    create("red", "36", 2);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open(path());
      focus(page, 0, 0);
      page.keyboard().type("+10");
      assertThat(hint(page)).hasText("94 → 104");
      assertThat(editor(page)).hasAttribute("aria-describedby", "grid-hint");
      assertThat(browser.contentFaults(page)).isEmpty();
      press(page, "Tab");
      assertThat(hint(page)).isHidden();
      assertThat(cell(page, 0, 0)).containsText("104");
      enter(page, "-4", "Tab");
      enter(page, "=5+3*2", "Tab");
      press(page, "F2");
      editor(page).fill("－１");
      assertThat(hint(page)).hasText("94 → 93");
      press(page, "Tab");
      // relative to the shown value, saved or not
      enter(page, "7", "Shift+Tab");
      press(page, "ArrowRight");
      enter(page, "+1", "Enter");
      // a cell without an entry counts as 0
      enter(page, "+5", "Control+s");

      assertThat(status(page)).hasText("Saved.");
      assertThat(merchant.api().stock(product).data("stock"))
          .containsExactly("104", "90", "11", "93", "8", "2", "5");
    }
  }

  @Test
  void rejectsInvalidQuantitiesAndKeepsTheText() {
    create("black", "36-37", 94);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person).dark()) {
      Page page = browser.open(path());
      focus(page, 0, 0);
      for (String typed : new String[] {"ab", "12a", "1.5", "-95", "=3*"}) {
        enter(page, typed, "Enter");
        assertThat(editor(page)).isFocused();
        assertThat(editor(page)).hasValue(typed);
        assertThat(editor(page)).hasAttribute("aria-invalid", "true");
        assertThat(hint(page)).hasAttribute("role", "alert");
        assertThat(hint(page))
            .containsText(typed.equals("-95") ? "The result is -1" : "Enter a whole number");
        press(page, "Escape");
        assertThat(cell(page, 0, 0)).hasText("94");
      }
      enter(page, "few", "Enter");
      assertThat(browser.contentFaults(page)).isEmpty();

      // the text survives a click on another cell or button, and a save
      cell(page, 0, 1).click();
      page.locator("[data-do='history']").click();
      page.locator("[name='field'][value='barcode']")
          .click(new Locator.ClickOptions().setForce(true));
      press(page, "Control+s");
      assertThat(editor(page)).isFocused();
      assertThat(editor(page)).hasValue("few");
      assertThat(page.locator("dialog[open]")).hasCount(0);
      assertThat(page.locator("[name='field'][value='quantity']")).isChecked();
      assertThat(status(page)).isHidden();
      editor(page).fill("-94");
      press(page, "Control+s");
      assertThat(status(page)).hasText("Saved.");
      assertThat(merchant.api().stock(product).data("stock")).containsExactly("0", "94");
    }
  }

  @Test
  void fillsTheSelectionInOneStep() {
    create("black", "36-37", 10);
    create("red", "36-37", 20);
    create("tan", "36-37", 3);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person)) {
      Page page = browser.open(path());
      focus(page, 0, 0);
      press(page, "Shift+ArrowRight", "Shift+ArrowDown");
      page.keyboard().type("+5");
      assertThat(hint(page)).hasText("20 → 25 · Ctrl+Enter fills 4 cells");
      press(page, "Control+Enter");
      assertThat(status(page)).hasText("Cells filled: 4 · 4 changes");
      assertThat(page.locator("[data-sum-all]")).hasText("86");
      assertThat(page.locator("td[aria-selected='true']")).hasCount(4);

      // all or nothing: tan 36 would become negative
      press(page, "Shift+ArrowDown");
      enter(page, "-4", "Control+Enter");
      assertThat(hint(page)).containsText("The result is -1");
      press(page, "Escape", "Control+z");
      assertThat(status(page)).isHidden();
      press(page, "Control+y");

      // fills down from the first selected row; with one cell, from the row above
      focus(page, 1, 1);
      press(page, "Shift+ArrowDown", "Control+d");
      assertThat(status(page)).hasText("Cells filled: 1 · 5 changes");
      assertThat(cell(page, 2, 1)).containsText("25");
      press(page, "Control+z");
      assertThat(cell(page, 2, 1)).hasAccessibleName("3, fewer than 5");
      focus(page, 2, 0);
      press(page, "Control+d", "Control+s");
      assertThat(status(page)).hasText("Saved.");
      press(page, "Control+Home", "Control+d");
      assertThat(status(page)).hasText("There is nothing above to fill down.");
      assertThat(merchant.api().stock(product).data("stock"))
          .containsExactly("15", "15", "25", "25", "25", "3");
      press(page, "?");
      assertThat(page.locator("#grid-keys")).containsText("Ctrl + Enter");
      assertThat(page.locator("#grid-keys")).containsText("Ctrl + D");
    }
  }

  @Test
  void incrementsAndDecrementsOnAPhone() {
    create("black", "36-39", 94);
    try (ConsoleBrowser browser = ConsoleBrowser.of(person).phone()) {
      Page page = browser.open(path());
      Locator fields = page.locator(".phone-sizes input");
      Locator notes = page.locator(".note-place");
      // repeated taps, and a tap followed by digits
      page.getByLabel("Decrease black 36").click();
      page.getByLabel("Decrease black 36").click();
      assertThat(notes.first()).hasText("94 → 92");
      page.getByLabel("Increase black 37").click();
      assertThat(fields.first()).hasValue("92");
      page.keyboard().type("10");
      assertThat(notes.nth(1)).hasText("94 → 104");
      press(page, "Enter");
      assertThat(fields.nth(1)).hasValue("104");
      assertThat(fields.nth(2)).isFocused();

      // an invalid value stays in its field, and is reported before anything is saved
      enter(page, "-95", "Enter");
      assertThat(fields.nth(2)).isFocused();
      assertThat(notes.nth(2)).containsText("The result is -1");
      assertThat(status(page)).hasText("2 changes · 1 cell has an error");
      fields.nth(3).fill("=2*6");
      page.locator("[data-do='save']").click();
      assertThat(fields.nth(2)).isFocused();
      assertThat(fields.nth(2)).hasValue("-95");
      assertThat(browser.contentFaults(page)).isEmpty();
      fields.nth(2).fill("-94");
      page.locator("[data-do='save']").click();
      assertThat(status(page)).hasText("Saved.");
      assertThat(page.locator("[data-do='save']")).isHidden();
      assertThat(merchant.api().stock(product).data("stock"))
          .containsExactly("92", "104", "0", "12");
    }
  }

  private static String set(int value) {
    return "{\"value\":%d,\"computed\":false}".formatted(value);
  }

  private static String computed(int value) {
    return "{\"value\":%d,\"computed\":true}".formatted(value);
  }

  private static String problem(String name, String result) {
    return "{\"problem\":\"%s\",\"values\":[\"%s\"]}".formatted(name, result);
  }

  private void create(String color, String sizes, int quantity) {
    assertThat(merchant.api().create(Stock.one(product, color, sizes, quantity)).success())
        .isTrue();
  }

  private String path() {
    return "/console/products/" + product + "/stock";
  }
}
