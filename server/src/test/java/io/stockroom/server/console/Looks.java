package io.stockroom.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.TestPerson;
import java.util.List;

/** Pages in every look: accessible, from our own host, no wider than the screen. */
final class Looks {
  private static final String WIDER_THAN_THE_SCREEN =
      "() => document.documentElement.scrollWidth > document.documentElement.clientWidth";

  private Looks() {}

  static void check(TestPerson person, List<String> paths) {
    ConsoleBrowser.everyLook(person)
        .forEach(
            browser -> {
              try (browser) {
                for (String path : paths) {
                  Page page = browser.visit(path);
                  assertThat(browser.faults(page)).as(path).isEmpty();
                  assertThat(page.evaluate(WIDER_THAN_THE_SCREEN)).as(path).isEqualTo(false);
                }
              }
            });
  }
}
