package io.stockroom.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.stockroom.protocol.check.Endpoint;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.TestServer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The docs in a real browser: accessible in every look, with a working search. */
class DocsLookTest {
  private static final List<String> PATHS =
      List.of(
          "/docs/",
          "/docs/interface/create-stock.html",
          "/docs/zh/",
          "/docs/operators/settings.html");

  @Test
  void everyLookIsAccessibleAndSelfHosted() {
    try (ConsoleBrowser wide = browser();
        ConsoleBrowser darkPhone = browser().dark().phone()) {
      for (int i = 0; i < PATHS.size(); i++) {
        String path = PATHS.get(i);
        for (ConsoleBrowser browser : List.of(wide, darkPhone)) {
          Page page = browser.visit(path);
          assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
              .as(path + " fits the screen")
              .isEqualTo(true);
          // axe is slow on a long page: alternate pages and looks
          if ((i % 2 == 0) == (browser == wide)) {
            // rows are alike, too
            page.evaluate(
                "() => document.querySelectorAll('main tr:nth-child(n + 9)')"
                    + ".forEach((row) => row.remove())");
            assertThat(browser.faults(page)).as(path).isEmpty();
          }
        }
      }
    }
  }

  @Test
  void theApiViewerIsAccessibleAndSelfHosted() {
    Stream.of(browser(), browser().dark().phone())
        .forEach(
            browser -> {
              try (browser) {
                Page page = browser.open("/docs/api");
                page.locator("section.call").first().waitFor();
                // the other sections are alike, and checking all of them takes minutes
                page.evaluate(
                    "() => [...document.querySelectorAll('section.call')].slice(1)"
                        + ".forEach((call) => call.remove())");
                assertThat(browser.faults(page)).isEmpty();
              }
            });
  }

  @Test
  void theViewerShowsIntegratorsTheInterfaceAndOperatorsTheirApi() {
    try (ConsoleBrowser browser = browser()) {
      Page page = browser.open("/docs/api");
      page.locator("section.call").first().waitFor();
      assertThat(page.locator("section.call .address").allInnerTexts())
          .hasSize(Endpoint.values().length)
          .noneMatch(address -> address.contains("/admin/"));
      assertThat(page.locator("#listStock").innerText()).contains("sign-method", "X-Error-Code");

      page.locator(".documents a:has-text('Operator')").click();
      page.locator("#listMerchants").waitFor();
      assertThat(page.locator("section.call .address").allInnerTexts())
          .allMatch(address -> address.contains("/admin/"));
      assertThat(page.locator("#listMerchants pre").first().innerText())
          .contains("http://127.0.0.1:8081/admin/merchants");
      assertThat(page.locator("[aria-current]").innerText()).isEqualTo("Operator API");
      assertThat(page.locator("#source").getAttribute("href")).isEqualTo("api/operator.json");

      page.locator(".documents a:has-text('Interface')").click();
      page.locator("#listStock").waitFor();
    }
  }

  @Test
  void searchWorksWhileTyping() {
    try (ConsoleBrowser browser = browser()) {
      Page page = browser.open("/docs/limits.html");
      page.keyboard().press("/");
      page.keyboard().type("sending create again");
      page.locator("#found a").first().waitFor();
      page.keyboard().press("ArrowDown");
      page.keyboard().press("Enter");
      page.waitForURL("**/docs/interface/create-stock.html#sending-a-create-again");

      page.keyboard().press("/");
      page.keyboard().type("nothinglikethis");
      page.locator("#found p:has-text('Nothing')").waitFor();
      page.keyboard().press("Escape");
      assertThat(page.locator("#found").isVisible()).isFalse();
    }
  }

  @Test
  void searchWorksFromAFolder(@TempDir Path folder) throws Exception {
    int files = new Site(Sources.packaged()).writeTo(folder);
    assertThat(files).isGreaterThan(30);
    try (ConsoleBrowser browser = browser()) {
      Page page = browser.openFile(folder.resolve("limits.html"));
      page.locator("#search").fill("CREATE_RATE");
      page.locator("#found a").first().waitFor();
      assertThat(browser.faults(page)).isEmpty();
    }
  }

  @Test
  void aPhoneHasAMenuButton() {
    try (ConsoleBrowser browser = browser().phone()) {
      Page page = browser.open("/docs/limits.html");
      assertThat(page.locator("#pages").isVisible()).isFalse();
      page.locator(".menu").click();
      assertThat(page.locator("#pages").isVisible()).isTrue();
      page.locator("#pages a[href='errors.html']").click();
      page.waitForURL("**/docs/errors.html");
    }
  }

  private static ConsoleBrowser browser() {
    return ConsoleBrowser.on(TestServer.shared());
  }
}
