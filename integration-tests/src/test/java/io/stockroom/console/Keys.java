package io.stockroom.console;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.options.AriaRole;

/** Reaches controls as a person without a mouse does. */
public final class Keys {
  private static final int MAX_TABS = 60;

  private Keys() {}

  /** Presses Tab until this control has the focus. */
  public static void tabTo(Page page, Locator target) {
    step(page, target, "Tab");
  }

  /** As {@link #tabTo}, backwards. */
  public static void backTo(Page page, Locator target) {
    step(page, target, "Shift+Tab");
  }

  /** Reaches the link with Tab and follows it. */
  public static void follow(Page page, String name) {
    press(page, page.getByRole(AriaRole.LINK, new GetByRoleOptions().setName(name).setExact(true)));
  }

  /** Reaches the control with Tab and presses Enter. */
  public static void press(Page page, Locator target) {
    tabTo(page, target.first());
    page.keyboard().press("Enter");
  }

  private static void step(Page page, Locator target, String key) {
    for (int i = 0; i < MAX_TABS; i++) {
      if ((Boolean) target.evaluate("(element) => element === document.activeElement")) {
        return;
      }
      page.keyboard().press(key);
    }
    throw new AssertionError(key + " does not reach " + target);
  }
}
