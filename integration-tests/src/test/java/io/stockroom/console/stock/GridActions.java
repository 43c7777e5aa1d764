package io.stockroom.console.stock;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.List;

/** Keyboard and clipboard actions in the grid. */
final class GridActions {
  private static final String PASTE =
      """
      (text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        document.activeElement.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      }
      """;
  private static final String CALL =
      """
      async ([module, name, args]) => {
        const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
        const found = await import(loaded.find((address) => address.includes(`/grid-${module}-`)));
        return JSON.stringify(found[name](...args));
      }
      """;

  private GridActions() {}

  static Locator cell(Page page, int row, int column) {
    return page.locator("td[data-row='%d'][data-column='%d']".formatted(row, column));
  }

  static Locator status(Page page) {
    return page.locator("#grid-status");
  }

  static Locator hint(Page page) {
    return page.locator("#grid-hint");
  }

  static Locator editor(Page page) {
    return page.locator("td .editor");
  }

  static void focus(Page page, int row, int column) {
    cell(page, row, column).click();
  }

  static void press(Page page, String... keys) {
    for (String key : keys) {
      page.keyboard().press(key);
    }
  }

  /** Types into the focused cell and presses a key. */
  static void enter(Page page, String text, String end) {
    page.keyboard().type(text);
    page.keyboard().press(end);
  }

  static void paste(Page page, String text) {
    page.evaluate(PASTE, text);
  }

  /** Calls a function of one of the grid's modules in the page; returns its result as JSON. */
  static String call(Page page, String module, String function, Object... args) {
    return String.valueOf(page.evaluate(CALL, List.of(module, function, List.of(args))));
  }
}
